/** `ralph agents try NAME` with the real program. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startModel } from '../support/model-server.mjs';
import { link } from './install.mjs';

const TRY_MS = 300_000;
const work = {
  turns: [{ shell: 'echo hello > hello.txt' }, { say: 'All done.\n\nRALPH_TASK_COMPLETE: TRY-1' }],
};

/** Why it is not as it should be, or undefined. */
export async function tryAgent({ name, agent, folder }) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-try-')));
  const [home, bin] = [join(top, 'home'), join(top, 'bin')];
  mkdirSync(join(home, 'tmp'), { recursive: true });
  const model = await startModel(work);
  try {
    link(name, folder, bin);
    agent.prepare?.(home, model.url, { price: 1 });
    const env = {
      ...agent.env(model.url),
      PATH: `${bin}:${process.env.PATH}`,
      HOME: home,
      TMPDIR: join(home, 'tmp'),
      LANG: 'C.UTF-8',
      // The program lies in a cache that a sandbox hides, and the throw-away repository has no config that shows it.
      RALPH_SANDBOX: 'none',
    };
    const chosen = agent.model ? ['--model', agent.model] : [];
    const { code, out } = await ralph(['agents', 'try', agent.use, '--json', ...chosen], { cwd: home, env });
    const { works, words, tools, tokens, claim } = JSON.parse(out);
    if (code === 0 && works && words && tools === 1 && tokens > 0 && claim) return;
    return `exit ${code}: ${out.replace(/\s+/g, ' ').slice(0, 400)}`;
  } catch (error) {
    return String(error);
  } finally {
    model.close();
    rmSync(top, { recursive: true, force: true });
  }
}

function ralph(args, { cwd, env }) {
  const child = spawn(process.execPath, [resolve('dist/cli.cjs'), ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', chunk => {
    out += chunk;
  });
  const late = setTimeout(() => child.kill('SIGTERM'), TRY_MS);
  return new Promise(done => {
    child.on('close', code => {
      clearTimeout(late);
      done({ code, out });
    });
  });
}
