/** The one way git is called: no shell, no hooks, no prompts, no background work, and an index of our own. */
import { capture } from '../process/index.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { refusedProgram } from '../util/system-error.ts';

const HARDENED = [
  // What an agent may have planted in the repository's config must not run in the runner.
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=',
  'core.pager=cat',
  'core.editor=false',
  'commit.gpgSign=false',
  'log.showSignature=false',
  'merge.verifySignatures=false',
  'gpg.program=false',
  'diff.external=',
  // Git looks into repositories inside this one with their settings, which nobody has looked at.
  'diff.ignoreSubmodules=dirty',
  'submodule.recurse=false',
  'core.quotePath=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.addEmbeddedRepo=false',
  'core.safecrlf=false',
  // Times that no program can set tell of every change, also where the person's git goes without them.
  'core.trustctime=true',
  'core.checkStat=default',
  // After a power cut a ref is what it was or what it became, never an empty file.
  'core.fsync=reference',
].flatMap(setting => ['-c', setting]);

/** The runner talks to no other repository unless it was told to push, so nothing that would is started. */
const SILENT = [
  'protocol.allow=never',
  'core.sshCommand=false',
  'core.gitProxy=',
  'core.askPass=',
  'credential.helper=',
].flatMap(setting => ['-c', setting]);

/**
 * Variables that would point git at another repository, for example when ralph is started from a hook, or that give pathspecs
 * another meaning.
 */
const REDIRECTING =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CEILING_DIRECTORIES|CONFIG|CONFIG_(PARAMETERS|COUNT|KEY_.*|VALUE_.*)|EXTERNAL_DIFF|EDITOR|PAGER|(LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS)$/;

/** The environment in which git finds the repository by the folder it is called in. */
export function withoutRedirection(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !REDIRECTING.test(name)));
}

const MAX_OUTPUT = 64 * 1024 * 1024;
const TIMEOUT_MS = 10 * 60_000;

export interface GitCall {
  readonly args: readonly string[];
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
  /** Exit codes that are an answer; 0 unless told otherwise. */
  readonly codes?: readonly number[];
  /** With another repository, as the person's own git would. */
  readonly talks?: true;
}

export class Git {
  readonly cwd: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(cwd: string, env: NodeJS.ProcessEnv, extra: Readonly<Record<string, string>> = {}) {
    this.cwd = cwd;
    const kept = Object.entries(withoutRedirection(env)).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    this.#env = {
      ...Object.fromEntries(kept),
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      // What is stored is what counts; another object shown in its place would be written into files, and committed from there.
      GIT_NO_REPLACE_OBJECTS: '1',
      LC_ALL: 'C',
      ...extra,
    };
  }

  /** The same repository seen through another index or environment. */
  with(extra: Readonly<Record<string, string>>): Git {
    return new Git(this.cwd, this.#env, extra);
  }

  /** What is run, for whoever starts it. */
  command(args: readonly string[], env?: Readonly<Record<string, string>>, talks?: true) {
    const argv: readonly [string, ...string[]] = ['git', ...HARDENED, ...(talks ? [] : SILENT), ...args];
    return { argv, cwd: this.cwd, env: env ? { ...this.#env, ...env } : this.#env };
  }

  async run({ args, input, env, maxBytes = MAX_OUTPUT, codes = [0], talks }: GitCall): Promise<Result<Buffer>> {
    const result = await capture({
      ...this.command(args, env, talks),
      ...(input === undefined ? {} : { input }),
      maxBytes,
      timeoutMs: TIMEOUT_MS,
    });
    if ((result.code !== null && codes.includes(result.code)) || result.truncated) return ok(result.stdout);
    return fail(gitFailure(args, result.stderr, result.code));
  }

  async text(...args: readonly string[]): Promise<Result<string>> {
    const result = await this.run({ args });
    return result.ok ? ok(result.value.toString('utf8').trim()) : result;
  }

  /** What git ends with a NUL each, as it does with `-z`. */
  async list(...args: readonly string[]): Promise<Result<readonly string[]>> {
    const result = await this.run({ args });
    return result.ok ? ok(namesIn(result.value)) : result;
  }
}

export const namesIn = (out: Buffer): readonly string[] => out.toString('utf8').split('\0').filter(Boolean);

function gitFailure(args: readonly string[], stderr: string, code: number | null): Failure {
  const lines = stderr.trim().split('\n');
  // Git says what is wrong in the first line and gives advice in the following ones.
  const from = lines.findLastIndex(line => /^(?:fatal|error): /.test(line));
  const said =
    lines
      .slice(from < 0 ? -3 : from)
      .slice(0, 3)
      .join(' ') || `exit ${code ?? 'by a signal'}`;
  const command = args.find((arg, index) => !/^-c$/i.test(arg) && !/^-c$/i.test(args[index - 1] ?? '')) ?? '';
  const message = `git ${command} failed: ${said}`;
  // Of a partial clone; the runner's git talks to no other repository.
  const isMissing = /from promisor remote|lazy fetching disabled/.test(stderr);
  const isDamaged =
    /is corrupt|bad object|unable to read (?:tree|sha1|[0-9a-f]{40})|missing (?:blob|tree|commit) object/.test(stderr);
  const hint = isMissing
    ? 'Fetch what this partial clone lacks, and try again: git fetch --refetch --no-filter'
    : isDamaged
      ? 'Objects of the repository are damaged or gone. Get them from another clone (git fetch --refetch), and try again.'
      : '';
  return refusedProgram(message) ?? { reason: 'git-failed', message, ...(hint === '' ? {} : { hint }) };
}
