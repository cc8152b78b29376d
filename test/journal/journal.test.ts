import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { newFile, readAll, readBytesOf, sample, sampleEvents, writeEvents } from './sample.ts';

const RUNS = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const SOAK = Boolean(process.env.RALPH_SOAK);
const MASKS = SOAK ? [1, 2, 4, 8, 16, 32, 64, 128, 255] : [1, 160];
/** Outside a soak each so-many-th byte is flipped, from a random first one. */
const STRIDE = SOAK ? 1 : 7;

const asText = (records: readonly unknown[]): readonly string[] => records.map(record => JSON.stringify(record));

describe('what was appended', () => {
  test('is read back in order, with its number and time', () => {
    const file = newFile();
    const written = writeEvents(file);
    const { records, end } = readAll(file);
    expect(records).toEqual(written);
    expect(records.map(({ seq }) => seq)).toEqual(sampleEvents.map((_, n) => n + 1));
    expect(records).toMatchObject(sampleEvents);
    expect(end).toMatchObject({ ok: true, value: { torn: 0, good: readFileSync(file).length } });
  });

  test('goes on after the file was closed and opened again', () => {
    const file = newFile();
    const first = writeEvents(file, sampleEvents.slice(0, 7));
    const second = writeEvents(file, sampleEvents.slice(7));
    expect(readAll(file).records).toEqual([...first, ...second]);
    expect(second[0]?.seq).toBe(8);
  });

  test('is one line each, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), texts => {
        const file = newFile();
        const written = writeEvents(
          file,
          texts.map(text => ({ type: 'steered', text })),
        );
        expect(readFileSync(file, 'latin1').split('\n')).toHaveLength(texts.length + 1);
        expect(asText(readAll(file).records)).toEqual(asText(written));
      }),
      { numRuns: Math.min(RUNS, 1000) },
    );
  });

  test('may be larger than what is read at once', () => {
    const file = newFile();
    const written = writeEvents(
      file,
      ['a', 'é', '🙂'].map(text => ({ type: 'steered', text: text.repeat(400_000) })),
    );
    expect(readAll(file).records).toEqual(written);
  });
});

test('a long journal that was opened again and deleted by another program is put back whole', () => {
  const file = newFile();
  writeEvents(
    file,
    Array.from({ length: 300 }, (_, n) => ({ type: 'steered', text: `${n} `.repeat(1_000) })),
  );
  const opened = Journal.open(file, () => undefined);
  if (!opened.ok) throw new Error(opened.error.message);
  const bytes = readFileSync(file);
  expect(bytes.length).toBeGreaterThan(1024 ** 2);
  rmSync(file);
  expect(opened.value.putBack()).toContain('deleted');
  expect(readFileSync(file).equals(bytes)).toBe(true);
  opened.value.close();
});

describe('a journal that is not there', () => {
  test('holds nothing', () => {
    expect(readAll(newFile())).toMatchObject({ records: [], end: { ok: true, value: { seq: 0, torn: 0 } } });
  });

  test('is not taken for empty when it only cannot be read', () => {
    const folder = newFile();
    mkdirSync(folder);
    expect(readAll(folder)).toMatchObject({ records: [], end: { ok: false, error: { reason: 'journal-unreadable' } } });
    if (process.getuid?.() === 0) return;
    const file = newFile();
    writeEvents(file);
    chmodSync(file, 0);
    expect(readAll(file)).toMatchObject({ records: [], end: { ok: false, error: { reason: 'journal-unreadable' } } });
  });
});

describe('a journal cut short', () => {
  test('at any byte gives what stands whole before the cut', () => {
    const { bytes, records, ends, file } = sample();
    const texts = asText(records);
    for (let cut = bytes.length; cut >= 0; cut--) {
      truncateSync(file, cut);
      const whole = ends.filter(end => end <= cut).length;
      const { records: left, end } = readAll(file);
      const good = ends[whole - 1] ?? 0;
      if (!end.ok || end.value.torn !== cut - good || end.value.seq !== whole || left.length !== whole) {
        expect.fail(`cut at ${cut}: ${JSON.stringify(end)}`);
      }
      expect(JSON.stringify(left.at(-1))).toBe(texts[whole - 1]);
    }
  });

  test('at any byte of its last record is repaired by the next append', () => {
    const { bytes, records, ends, file } = sample();
    const start = ends.at(-2) ?? 0;
    const note = { type: 'steered', text: 'after the crash' } as const;
    for (let cut = start; cut < bytes.length; cut++) {
      writeFileSync(file, bytes.subarray(0, cut));
      const [added] = writeEvents(file, [note]);
      const { records: now, end } = readAll(file);
      expect(end.ok && end.value.torn).toBe(0);
      expect(asText(now)).toEqual(asText([...records.slice(0, -1), added]));
    }
  });
});

describe('a journal with a flipped byte', () => {
  test.each(MASKS)(
    'gives the records before it or an explicit error, whichever byte it is (mask %i)',
    mask => {
      const { bytes, records, ends, file } = sample();
      const texts = asText(records);
      expect(bytes.length).toBeGreaterThan(10_000);
      const fd = openSync(file, 'r+');
      const outcomes = { prefix: 0, refused: 0 };
      let line = 0;
      for (let at = Math.floor(Math.random() * STRIDE); at < bytes.length; at += STRIDE) {
        while (at >= (ends[line] ?? 0)) line += 1;
        const byte = bytes[at] ?? 0;
        writeSync(fd, Buffer.of(byte ^ mask), 0, 1, at);
        const { records: left, end } = readAll(file);
        writeSync(fd, Buffer.of(byte), 0, 1, at);
        const right = left.length === line && left.every((record, n) => JSON.stringify(record) === texts[n]);
        const explicit = end.ok || end.error.reason === 'journal-damaged';
        if (!right || !explicit)
          expect.fail(`byte ${at} of line ${line}: ${left.length} records, ${JSON.stringify(end)}`);
        outcomes[end.ok ? 'prefix' : 'refused'] += 1;
      }
      closeSync(fd);
      expect(readAll(file).records).toEqual(records);
      // Damage in the middle is never passed over in silence.
      expect(outcomes.prefix).toBeLessThanOrEqual(bytes.length - (ends.at(-2) ?? 0) + 1);
      expect(outcomes.refused).toBeGreaterThan((bytes.length / STRIDE) * 0.9);
    },
    600_000,
  );

  test('is named with its line, and the file stays as it is', () => {
    const { bytes, ends, file } = sample();
    bytes[(ends[4] ?? 0) + 20] = 0;
    const { end } = readBytesOf(bytes, file);
    expect(end).toMatchObject({ ok: false, error: { reason: 'journal-damaged', line: 6, file } });
    expect(() => writeEvents(file, [{ type: 'paused' }])).toThrow('damaged');
    expect(readFileSync(file)).toEqual(bytes);
  });
});

describe('a journal in disorder', () => {
  const { bytes, records, ends } = sample();
  const lines = ends.map((end, n) => bytes.subarray(ends[n - 1] ?? 0, end));
  const texts = asText(records);
  const line = fc.nat({ max: lines.length - 1 });
  const garbage = fc.uint8Array({ maxLength: 300 }).map(array => Buffer.from(array));
  const cut = fc.nat({ max: bytes.length });

  const disorder = fc.oneof(
    fc.tuple(cut, garbage).map(([at, added]) => Buffer.concat([bytes.subarray(0, at), added])),
    fc.tuple(cut, garbage).map(([at, added]) => Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)])),
    fc.tuple(cut, fc.nat(400)).map(([at, n]) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + n)])),
    fc.tuple(line, line).map(([a, b]) => Buffer.concat([...lines.slice(0, a + 1), ...lines.slice(b)])),
    fc
      .tuple(line, line)
      .map(([a, b]) => Buffer.concat(lines.map((each, n) => lines[n === a ? b : n === b ? a : n] ?? each))),
    fc.shuffledSubarray(lines).map(some => Buffer.concat(some)),
    garbage,
  );

  test('never gives a record that was not written there, and never throws', () => {
    const file = newFile();
    fc.assert(
      fc.property(disorder, mixed => {
        const { records: left, end } = readBytesOf(mixed, file);
        expect(asText(left)).toEqual(texts.slice(0, left.length));
        if (!end.ok) expect(end.error.reason).toBe('journal-damaged');
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['a line twice', [...lines.slice(0, 9), ...lines.slice(8)]],
    ['two lines swapped', [...lines.slice(0, 5), lines[6], lines[5], ...lines.slice(7)]],
    ['a line left out', [...lines.slice(0, 5), ...lines.slice(6)]],
    ['its first line left out', lines.slice(1)],
    ['the lines of another journal behind its own', [...lines, ...lines]],
  ])('with %s is refused', (_, mixed) => {
    const { end } = readBytesOf(Buffer.concat(mixed.filter(each => each !== undefined)), newFile());
    expect(end).toMatchObject({ ok: false, error: { reason: 'journal-damaged' } });
  });

  test('with garbage behind its last line is repaired', () => {
    const file = newFile();
    writeFileSync(file, bytes);
    appendFileSync(file, '{"seq":99}\nnot a record\n\n{"torn');
    expect(readAll(file)).toMatchObject({ records: { length: records.length }, end: { ok: true } });
    writeEvents(file, [{ type: 'paused' }]);
    expect(readAll(file).records).toHaveLength(records.length + 1);
  });
});

describe('a journal of a newer version', () => {
  test('is refused with what to do', async () => {
    const { createHash } = await import('node:crypto');
    const body = '{"v":2,"seq":1,"at":1,"type":"paused","prev":"000000000000"}';
    const sum = createHash('sha256').update(body).digest('hex').slice(0, 12);
    const file = newFile();
    const text = `${body.slice(0, -1)},"sum":"${sum}"}\n`;
    expect(readBytesOf(Buffer.from(text), file)).toMatchObject({
      records: [],
      end: { ok: false, error: { reason: 'journal-newer', hint: expect.stringContaining('Update') } },
    });
    expect(() => writeEvents(file, [{ type: 'paused' }])).toThrow('newer version');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
