/** `ralph serve`: the page. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listRuns } from '../journal/index.ts';
import { openBrowser } from '../process/index.ts';
import { isLoopback, pageFiles, type Serving, serve as startServer } from '../serve/index.ts';
import { openProject } from '../start/index.ts';
import type { Failure } from '../util/result.ts';
import { type Call, type Handler, numberFlag, switchFlag, textFlag } from './command.ts';
import { complain, print } from './print.ts';

declare const __VERSION__: string;

const PORT = 4010;
const LONGEST_PORT = 65_535;
const SHORTEST_PASSWORD = 12;

export const serve: Handler = async call => {
  const host = textFlag(call, 'host') ?? '127.0.0.1';
  const port = numberFlag(call, 'port') ?? PORT;
  const { RALPH_SERVE_PASSWORD: password } = process.env;
  const refused = refuse(call, { host, port, password });
  if (refused) return complain(refused, 2);
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return complain(project.error.failure, project.error.exit);
  // The password must not be passed on to child processes.
  delete process.env.RALPH_SERVE_PASSWORD;
  const started = await startServer({
    project: project.value,
    host,
    port,
    isReadonly: switchFlag(call, 'readonly'),
    password,
    version: __VERSION__,
    page: pageFiles(pageFolders()),
    onSignIn: address => print(`Opened. For another browser: ${address}`),
  });
  if (!started.ok) return complain(started.error, 4);
  const serving = started.value;
  const { folder } = project.value;
  if (listRuns(folder).length === 0)
    print('There has been no run here yet; the page will show the first one. Start it with: ralph run');
  if (!isLoopback(host)) {
    print(
      'Warning: anyone who can reach this machine can see this page and try passwords; the connection is not encrypted.',
    );
  }
  print(`The page: ${serving.address()}`);
  print('The address works once. Ctrl-C ends the page, not the run.');
  const opener = join(folder.root, 'serve-open.html');
  if (switchFlag(call, 'open')) await open(serving, opener);
  const forget = staySmall();
  const code = await untilSignal(serving);
  forget();
  rmSync(opener, { force: true });
  return code;
};

function refuse(
  call: Call,
  { host, port, password }: { readonly host: string; readonly port: number; readonly password: string | undefined },
): Failure | undefined {
  if (port > LONGEST_PORT) {
    return { reason: 'usage', message: `there is no port ${port}`, hint: `For example: ralph serve --port ${PORT}` };
  }
  if (!/^[\w.:-]+$/.test(host))
    return {
      reason: 'usage',
      message: `--host expects an address, not "${host}"`,
      hint: 'For example: ralph serve --host 0.0.0.0',
    };
  if (isLoopback(host)) return undefined;
  if (!password || password.length < SHORTEST_PASSWORD) {
    return {
      reason: 'not-safe',
      message: `${host} can be reached from other machines, and no password is set`,
      hint: `Set one of at least ${SHORTEST_PASSWORD} characters: RALPH_SERVE_PASSWORD=... ralph serve --host ${host} --yes. Safer, from the other machine: ssh -L ${port}:127.0.0.1:${port} this-machine`,
    };
  }
  if (switchFlag(call, 'yes')) return undefined;
  return {
    reason: 'not-safe',
    message: `${host} can be reached from other machines: anyone who knows the password can stop runs and mark items, and the connection is not encrypted`,
    hint: `If that is what you want: ralph serve --host ${host} --yes`,
  };
}

/** Beside the program, where the build puts the page. */
const pageFolders = (): readonly string[] =>
  ['./page/', '../page/', '../../dist/page/'].map(place => fileURLToPath(new URL(place, import.meta.url)));

/** Opens a file that only this user can read, because arguments of a program are visible in the list of processes. */
async function open(serving: Serving, file: string): Promise<void> {
  const address = serving.address();
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">Ralph</a>\n`;
  try {
    rmSync(file, { force: true });
    writeFileSync(file, page, { mode: 0o600, flag: 'wx' });
    if (await openBrowser(file)) return;
  } catch {
    // The folder is not writable.
  }
  print('No browser could be started; open the address yourself.');
}

const LOOK_MS = 2_000;
const LARGE = 90 * 1024 * 1024;

/** A page is open for days and rarely used, so garbage is collected between requests. */
function staySmall(): () => void {
  // Reading a long journal makes many short-lived objects: a semi-space that grew for them would never shrink.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (() => void) | undefined;
  let before = 0;
  const timer = setInterval(() => {
    const now = process.memoryUsage.rss();
    // Not repeatedly if nothing more can be freed.
    if (now > LARGE && now > before + 2 * 1024 * 1024) collect?.();
    before = process.memoryUsage.rss();
  }, LOOK_MS);
  return () => clearInterval(timer);
}

function untilSignal(serving: Serving): Promise<number> {
  return new Promise(resolve => {
    const leave = (code: number) => () => void serving.close().then(() => resolve(code));
    process.once('SIGINT', leave(130));
    process.once('SIGTERM', leave(143));
  });
}
