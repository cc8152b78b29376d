/** One line of the launch checklist. */
import { describeFailure, type Failure } from '../util/result.ts';

export interface Finding {
  /** `bad` would refuse a run. */
  readonly level: 'good' | 'warn' | 'bad';
  readonly name: string;
  readonly detail: string;
  readonly fix?: string;
}

export const good = (name: string, detail: string): Finding => ({ level: 'good', name, detail });

export const warn = (name: string, detail: string, fix?: string): Finding => ({
  level: 'warn',
  name,
  detail,
  ...(fix ? { fix } : {}),
});

/** A refusal in the words that `ralph run` has for it. */
export const bad = (name: string, { hint, ...what }: Failure): Finding => ({
  level: 'bad',
  name,
  detail: describeFailure(what),
  ...(hint ? { fix: hint } : {}),
});
