/** Calls after the first few go through a shell that stays; whoever calls sees no difference. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { capture } from '../../src/process/capture.ts';
import { env, tempFolder } from './helpers.ts';

const call = (command: string, extra: NodeJS.ProcessEnv = {}) => ({
  argv: ['/bin/sh', '-c', command] as const,
  cwd: tempFolder(),
  env: { ...env, KEPT: 'kept', ...extra },
  maxBytes: 20_000_000,
  timeoutMs: 20_000,
});

/** Of the process that started it. */
const parentOf = async (): Promise<string> => String((await capture(call('echo $PPID'))).stdout).trim();

beforeAll(async () => {
  for (let calls = 0; calls < 4; calls++) await capture(call('true'));
});

describe('a call through the shell that stays', () => {
  test('comes from one small process, again and again', async () => {
    const parent = await parentOf();
    expect(parent).not.toBe(String(process.pid));
    expect(await parentOf()).toBe(parent);
  });

  test('gives every byte of both outputs and the code', async () => {
    const command = `head -c 5000000 /dev/zero; printf 'a\\n\\377' >&2; exit 128`;
    const { stdout, ...rest } = await capture(call(command));
    expect(rest).toEqual({ code: 128, stderr: 'a\n\uFFFD', truncated: false });
    expect(stdout.equals(Buffer.alloc(5_000_000))).toBe(true);
  });

  test('has its own folder, arguments and environment, whatever is in them', async () => {
    const odd = join(tempFolder(), `it's "odd" $(x)\nfolder`);
    mkdirSync(odd);
    const values = { ODD: `'";$HOME\n\\`, KEPT: undefined, 'not%a%name': 'x' };
    const result = await capture({
      ...call('', values),
      argv: ['/bin/sh', '-c', 'printf "%s|%s|%s|%s" "$(pwd)" "$1" "$ODD" "${KEPT-none}"', 'sh', `a'b\n$c`],
      cwd: odd,
    });
    expect(String(result.stdout)).toBe(`${odd}|a'b\n$c|'";$HOME\n\\|none`);
    expect(String((await capture(call('echo "$KEPT$ODD"'))).stdout)).toBe('kept\n');
  });

  test('does not wait for another call', async () => {
    const several = await Promise.all(['1', '2', '3'].map(word => capture(call(`sleep 0.0${word}; echo ${word}`))));
    expect(several.map(({ stdout }) => String(stdout))).toEqual(['1\n', '2\n', '3\n']);
  });

  test('has a shell of its own beside others, and these stay', async () => {
    const several = () => Promise.all(Array.from({ length: 6 }, () => capture(call('sleep 0.2; echo $PPID'))));
    const parents = (await several()).map(({ stdout }) => String(stdout).trim());
    const shells = new Set(parents.filter(pid => pid !== String(process.pid)));
    expect(shells.size).toBe(4);
    expect(parents.filter(pid => pid === String(process.pid)).length).toBe(2);
    const again = new Set((await several()).map(({ stdout }) => String(stdout).trim()));
    expect(again).toEqual(new Set([...shells, String(process.pid)]));
  });

  test('says what signal ended it', async () => {
    expect(await capture(call('kill -SEGV $$'))).toMatchObject({
      code: null,
      stderr: expect.stringContaining('was killed by SIGSEGV'),
    });
  });

  test('is not lost with the shell: it is said, and the next call has another one', async () => {
    const before = await parentOf();
    expect(await capture(call('echo part; kill -KILL $PPID; exec sleep 60'))).toMatchObject({
      code: null,
      stdout: Buffer.from('part\n'),
      stderr: expect.stringContaining('was killed by SIGKILL'),
    });
    const after = await parentOf();
    expect([before, String(process.pid)]).not.toContain(after);
  });

  test('is one of our own when its program or folder is not there', async () => {
    const missing = await capture({ ...call(''), argv: ['ralph-no-such-program'] });
    expect(missing).toMatchObject({ code: null, stderr: expect.stringContaining('could not be started') });
    const nowhere = await capture({ ...call('true'), cwd: join(tempFolder(), 'none') });
    expect(nowhere).toMatchObject({ code: null, stderr: expect.stringContaining('could not be started') });
  });
});
