import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openCappedLog } from '../../src/process/capped-log.ts';
import { onLinux, tempFolder } from './helpers.ts';

describe('a capped log', () => {
  test('makes its folder and keeps everything that fits', () => {
    const path = join(tempFolder(), 'deep', 'er', 'output.log');
    const log = openCappedLog({ path });
    log.write(Buffer.from('one\n'));
    log.write(Buffer.from('two\n'));
    expect(log.close()).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });

  test('says in one line how much is missing between its head and its tail', () => {
    const path = join(tempFolder(), 'output.log');
    const log = openCappedLog({ path, headBytes: 4, tailBytes: 3 });
    log.write(Buffer.from('abcdefghij'));
    expect(log.close()).toBe(3);
    expect(readFileSync(path, 'utf8')).toBe('abcd\n[ralph: 3 bytes dropped here]\nhij');
  });

  test('keeps the first and the last bytes however they were cut into chunks', () => {
    const path = join(tempFolder(), 'output.log');
    const runs = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 })),
        fc.nat(60),
        fc.integer({ min: 1, max: 60 }),
        (chunks, headBytes, tailBytes) => {
          const all = Buffer.concat(chunks);
          const log = openCappedLog({ path, headBytes, tailBytes });
          for (const chunk of chunks) log.write(Buffer.from(chunk));
          const dropped = Math.max(0, all.length - headBytes - tailBytes);
          expect(log.close()).toBe(dropped);
          const notice = dropped > 0 ? `\n[ralph: ${dropped} bytes dropped here]\n` : '';
          const tail = all.subarray(Math.max(headBytes, all.length - tailBytes));
          expect(readFileSync(path)).toEqual(Buffer.concat([all.subarray(0, headBytes), Buffer.from(notice), tail]));
        },
      ),
      { numRuns: runs },
    );
  });

  test.runIf(onLinux)('counts on when the disk is full', () => {
    const log = openCappedLog({ path: '/dev/full' });
    log.write(Buffer.alloc(1000));
    expect(log.close()).toBe(1000);
  });

  test('counts on when it cannot be opened', () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    const log = openCappedLog({ path: join(file, 'output.log') });
    log.write(Buffer.alloc(10));
    expect(log.close()).toBe(10);
    expect(log.close()).toBe(10);
  });

  test('is not written through a link', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'precious'), 'kept');
    symlinkSync(join(folder, 'precious'), join(folder, 'output.log'));
    const log = openCappedLog({ path: join(folder, 'output.log') });
    log.write(Buffer.from('said'));
    expect(log.close()).toBe(0);
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('kept');
    expect(readFileSync(join(folder, 'output.log'), 'utf8')).toBe('said');
  });
});
