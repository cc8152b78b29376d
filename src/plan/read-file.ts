/** Reads one file as a plan of one format. */
import { statSync } from 'node:fs';
import type { Plan, PlanDocument, PlanFormat } from '../protocol.ts';
import { readBytes } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { showBytes } from '../util/show.ts';
import { type Decoded, decode } from '../util/text.ts';
import { diskFiles } from './disk.ts';
import { withDoubts } from './doubts.ts';
import { formats } from './formats.ts';
import { tooMany } from './too-many.ts';

/** Larger than any real plan; only a log or a device given by mistake exceeds it. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** A parsed plan, with the bytes it was read from. */
export interface OpenPlan {
  readonly document: PlanDocument;
  /** The plan of the document, with the problems that are independent of its format. */
  readonly plan: Plan;
  readonly format: PlanFormat;
  /** The file that holds the plan's state. */
  readonly path: string;
  readonly decoded: Decoded;
  readonly bytes: Buffer;
  /** The file does not exist yet: the runner writes these bytes as its first content. */
  readonly created?: true;
}

export interface Located {
  /** The file that holds the plan's state; it may differ from the given path, and may not exist yet. */
  readonly file: string;
  readonly format: PlanFormat;
}

export function locate(path: string | undefined, own: readonly PlanFormat[]): Located | undefined {
  if (path === undefined) return undefined;
  for (const format of [...own, ...formats]) {
    const file = format.find(path, diskFiles);
    if (file !== undefined) return { file, format };
  }
  return undefined;
}

/** A file's bytes and text. */
interface FileText {
  readonly bytes: Buffer;
  readonly decoded: Decoded;
}

export function openFile(file: string, format: PlanFormat, known?: FileText): Result<OpenPlan> {
  const read = known ? ok(known) : readPlanFile(file);
  return read.ok ? parsePlan({ path: file, format, ...read.value }) : read;
}

/** Reads the text of a plan of any format; refuses a file that is too large. */
export function readPlanFile(file: string): Result<FileText> {
  const size = statSync(file, { throwIfNoEntry: false });
  if (size && size.size > MAX_BYTES) {
    return fail<Failure>({
      reason: 'plan-too-large',
      message: `the file is ${showBytes(size.size)}, too large for a plan`,
      file,
      hint: `A plan may have up to ${showBytes(MAX_BYTES)}. Split it into several files, and run one after the other.`,
    });
  }
  const bytes = readBytes(file);
  if (bytes === undefined) {
    return fail<Failure>({
      reason: 'plan-unreadable',
      message: 'the file cannot be read',
      file,
      hint: 'Check its permissions.',
    });
  }
  return textOf(file, bytes);
}

function textOf(path: string, bytes: Buffer): Result<FileText> {
  const decoded = decode(bytes, path);
  if (!decoded.ok) return decoded;
  const refused = tooMany(decoded.value.text, path);
  return refused ? fail(refused) : ok({ bytes, decoded: decoded.value });
}

/** Parses bytes as a plan. */
export function readPlan({ path, format, bytes }: Pick<OpenPlan, 'path' | 'format' | 'bytes'>): Result<OpenPlan> {
  const read = textOf(path, bytes);
  return read.ok ? parsePlan({ path, format, ...read.value }) : read;
}

function parsePlan(file: Pick<OpenPlan, 'path' | 'format'> & FileText): Result<OpenPlan> {
  const { path, format, decoded } = file;
  const document = format.parse(decoded.text, path, diskFiles);
  const plan = withDoubts(document.plan, { text: decoded.text, files: diskFiles });
  return ok({ document, plan, ...file });
}

/** Parses other bytes as the same plan: what the agent left, or what a person changed. */
export function reparse(open: OpenPlan, bytes: Buffer): Result<OpenPlan> {
  return readPlan({ path: open.path, format: open.format, bytes });
}
