import { describe, expect, test } from 'vitest';
import { capture } from '../../src/process/capture.ts';
import { env, tempFolder } from './helpers.ts';

const call = (command: string) => ({
  argv: ['/bin/sh', '-c', command] as const,
  cwd: tempFolder(),
  env,
  maxBytes: 1_000_000,
  timeoutMs: 120_000,
});

describe('a captured call', () => {
  test('gives code and both outputs', async () => {
    expect(await capture(call(`printf 'a\\377b'; echo err >&2; exit 3`))).toEqual({
      code: 3,
      stdout: Buffer.from([0x61, 0xff, 0x62]),
      stderr: 'err',
      truncated: false,
    });
  });

  test('gets its input, or none', async () => {
    expect((await capture({ ...call('cat'), input: 'x'.repeat(300_000) })).stdout).toHaveLength(300_000);
    expect((await capture(call('cat'))).stdout).toHaveLength(0);
  });

  test('survives input that nobody reads', async () => {
    expect(await capture({ ...call('exit 0'), input: Buffer.alloc(5_000_000) })).toMatchObject({ code: 0 });
  });

  test('is cut at its bound', async () => {
    const result = await capture({ ...call('yes'), maxBytes: 1000 });
    expect(result).toMatchObject({ code: null, truncated: true, stderr: expect.stringContaining('more than 1000') });
    expect(result.stdout).toHaveLength(1000);
  });

  // It has to print within that time.
  test('is ended in time', { retry: 3 }, async () => {
    const result = await capture({ ...call('echo part; exec sleep 60'), timeoutMs: 2000 });
    expect(result).toMatchObject({ code: null, truncated: false, stderr: expect.stringContaining('2000 ms') });
    expect(String(result.stdout)).toBe('part\n');
  });

  test('says why it could not be started', async () => {
    const missing = await capture({ ...call(''), argv: ['ralph-no-such-program'] });
    expect(missing).toMatchObject({ code: null, stderr: expect.stringContaining('could not be started') });
    const nul = await capture({ ...call(''), argv: ['/bin/echo', 'a\0b'] });
    expect(nul).toMatchObject({ code: null, stderr: expect.stringContaining('could not be started') });
  });
});
