import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { supervise } from '../../src/process/supervise.ts';
import { env, script, shell, tempFolder } from './helpers.ts';

const MB = 1_000_000;
const soak = Boolean(process.env.RALPH_SOAK);
test('the log is open before the process runs, however quick that is to put a link in the place of its folder', async () => {
  const folder = tempFolder();
  const [logs, elsewhere, planted] = ['logs', 'elsewhere', 'planted'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(elsewhere);
  const end = await supervise({
    ...shell(`rm -rf ${logs}; ln -s ${elsewhere} ${logs}; touch ${planted}; echo said`),
    log: { path: join(logs, 'output.log') },
    onStarted: () => {
      for (const deadline = Date.now() + 30_000; !existsSync(planted) && Date.now() < deadline; );
    },
  });
  expect(end).toMatchObject({ reason: 'exited', tail: 'said\n' });
  expect(readdirSync(elsewhere)).toEqual([]);
});

describe('a flood of output', () => {
  const total = soak ? 2_000 * MB : 128 * MB;

  test('leaves memory where it was and the log within its cap', { timeout: 300_000 }, async () => {
    const path = join(tempFolder(), 'output.log');
    const headBytes = 8 * MB;
    const before = process.memoryUsage().rss;
    let highest = before;
    const line = 'a line of output that is about as long as lines are';
    let lines = 0;
    const end = await supervise({
      ...shell(`yes '${line}' | head -c ${total}`),
      log: { path, headBytes },
      onLine: () => {
        lines += 1;
      },
      onOutput: () => {
        highest = Math.max(highest, process.memoryUsage.rss());
      },
    });
    expect(end).toMatchObject({ reason: 'exited', code: 0, outputBytes: total });
    expect(lines).toBe(Math.ceil(total / (line.length + 1)));
    expect(statSync(path).size).toBeLessThanOrEqual(headBytes + 256 * 1024 + 100);
    expect(end.droppedBytes).toBe(total - headBytes - 256 * 1024);
    expect((highest - before) / MB).toBeLessThan(60);
  });

  test('in a single line is dropped as a line and kept in the log', { timeout: 300_000 }, async () => {
    const path = join(tempFolder(), 'output.log');
    const before = process.memoryUsage().rss;
    let highest = before;
    const lines: string[] = [];
    const end = await supervise({
      ...shell(`head -c ${200 * MB} /dev/zero | tr '\\0' x; echo; echo after`),
      log: { path, headBytes: MB },
      onLine: line => {
        lines.push(line.slice(0, 100));
      },
      onOutput: () => {
        highest = Math.max(highest, process.memoryUsage.rss());
      },
    });
    expect(end).toMatchObject({ reason: 'exited', outputBytes: 200 * MB + 7 });
    expect(lines).toEqual(['after']);
    expect(end.tail.endsWith('x\nafter\n')).toBe(true);
    expect(readFileSync(path, 'latin1').endsWith('x\nafter\n')).toBe(true);
    expect((highest - before) / MB).toBeLessThan(60);
  });
});

describe('what is kept of the output', () => {
  test('the tail holds no control codes and no half characters', async () => {
    const path = script(
      tempFolder(),
      'agent.mjs',
      `const bytes = [0xff, 0xfe, 0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xc3, 0x28, 0x9b, 0x07, 0x0d];
       process.stdout.write(Buffer.from(bytes));
       process.stdout.write('\\x1b]52;c;aGk=\\x07\\x1b]8;;http://x\\x1b\\\\link\\x1b]8;;\\x1b\\\\\\n');
       process.stderr.write('\\x1b[2J\\x1b[Hred\\n');`,
    );
    const log = join(tempFolder(), 'output.log');
    const end = await supervise({ argv: [process.execPath, path], cwd: tempFolder(), env, log: { path: log } });
    // oxlint-disable-next-line no-control-regex -- they are what this is about
    expect(end.tail).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    expect(end.tail).toContain('link');
    expect(end.tail).toContain('red');
    expect(readFileSync(log).includes(Buffer.from([0xff, 0xfe, 0x00, 0x1b]))).toBe(true);
  });

  test('a cut tail starts at a line, and in the middle of no character', async () => {
    const lines = await supervise({ ...shell('seq 1 1000'), tailBytes: 32 });
    expect(lines.tail).toBe('994\n995\n996\n997\n998\n999\n1000\n');
    const umlauts = await supervise({ ...shell(`printf 'ü%.0s' $(seq 1 100)`), tailBytes: 33 });
    expect(umlauts.tail).toBe('ü'.repeat(16));
  });

  test('stdout gives lines, stderr does not, and the last line needs no end', async () => {
    const lines: string[] = [];
    const end = await supervise({
      ...shell(`printf 'one\\r\\ntwo\\n\\nlast'; echo err >&2`),
      onLine: line => {
        lines.push(line);
      },
    });
    expect(lines).toEqual(['one', 'two', '', 'last']);
    expect(end.tail).toContain('err');
  });

  test('a full disk costs the log and nothing else', async () => {
    const end = await supervise({ ...shell('echo hello'), log: { path: '/dev/full' } });
    expect(end).toMatchObject({ reason: 'exited', code: 0, tail: 'hello\n', outputBytes: 6, droppedBytes: 6 });
  });
});

describe('a brief of 5 MB on standard input', () => {
  const brief = (): string => {
    const file = join(tempFolder(), 'brief.md');
    writeFileSync(file, 'x'.repeat(5 * MB));
    return file;
  };

  test('reaches a child that reads slowly', async () => {
    const slow = 'head -c 1000000 | wc -c; sleep 0.2; head -c 1000000 | wc -c; sleep 0.2; wc -c';
    const end = await supervise({ ...shell(slow), stdin: { file: brief() } });
    expect(end.tail.split('\n').reduce((sum, line) => sum + Number(line), 0)).toBe(5 * MB);
  });

  test('does not hold up a child that never reads', async () => {
    const end = await supervise({ ...shell('echo ready'), stdin: { file: brief() } });
    expect(end).toMatchObject({ reason: 'exited', code: 0, tail: 'ready\n' });
  });
});
