/** `doctor()`: the launch checklist as a value. */
import type { Overrides } from '../config/index.ts';
import type { Agent, PlanFormat } from '../protocol.ts';
import { diagnose } from './diagnose.ts';
import type { Finding } from './finding.ts';

export interface DoctorOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly plan?: string;
  /** Only this item, as for `run`. */
  readonly only?: string;
  readonly overrides?: Overrides;
  /** Of your own, as for `run`. */
  readonly agent?: Agent;
  readonly formats?: readonly PlanFormat[];
}

export interface DoctorReport {
  /** A run would start. */
  readonly ready: boolean;
  readonly findings: readonly Finding[];
}

/** Would a run start here, and what to fix. Runs the gates as a run would, and undoes what they write. */
export async function doctor(options: DoctorOptions = {}): Promise<DoctorReport> {
  const { cwd = process.cwd(), env = process.env, overrides = {} } = options;
  const findings: Finding[] = [];
  for await (const finding of diagnose({ ...options, cwd, env, overrides })) findings.push(finding);
  return { ready: findings.every(({ level }) => level !== 'bad'), findings };
}
