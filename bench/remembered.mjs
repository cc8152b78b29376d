/** Makes a repository with a history: lessons with track records, archives, and the journals of their runs. */
import { copyFileSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Small pseudo-random numbers from a seed, the same on every machine. */
function numbers(seed) {
  let state = seed;
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const DAY = 86_400_000;
const START = Date.UTC(2025, 0, 1);
const usage = { inputTokens: 1000, outputTokens: 100, cachedTokens: 0 };
/** Words that the items of the benchmark use, so that there is always something to recall. */
const COMMON = ['record', 'file', 'story', 'keep', 'written', 'find', 'read', 'starts'];

export function writePast(folder, { lessons, runs }) {
  const pick = numbers(7);
  const vocabulary = Array.from({ length: 4000 }, () =>
    Array.from({ length: 3 + pick(7) }, () => 'abdefgiklmnoprstuvz'[pick(19)]).join(''),
  );
  const words = count => Array.from({ length: count }, () => vocabulary[pick(4000)]).join(' ');
  const ids = Array.from({ length: lessons }, (_, n) => `L-${n.toString(16).padStart(8, '0')}`);
  const section = (id, n) =>
    `## ${id} pattern\n\n${words(8)} ${COMMON[n % COMMON.length]} ${words(8)} number ${n}.\n\n- from: run 2025-01-01-run-1, US-${n}\n`;
  mkdirSync(join(folder, '.ralph'), { recursive: true });
  writeFileSync(join(folder, '.ralph', '.gitignore'), '*\n');
  writeFileSync(join(folder, '.ralph', 'lessons.md'), `# Lessons\n\n${ids.map(section).join('\n')}`);
  for (let n = 0; n < runs; n++) writeArchive(folder, { n, pick, words, ids, vocabulary });
}

function writeArchive(folder, { n, pick, words, ids, vocabulary }) {
  const startedAt = START + n * 1000;
  const attempt = (iteration, at) => ({
    iteration,
    attempt: 1,
    verdict: pick(5) === 0 ? 'rejected' : 'accepted',
    at,
    paths: [`src/${vocabulary[pick(4000)]}.ts`],
    durationMs: 1000,
    usage,
    costUsd: 0.1,
    shown: Array.from({ length: Math.min(6, ids.length) }, () => ids[pick(ids.length)]),
    used: [],
  });
  const items = Array.from({ length: 10 }, (_, nth) => ({
    id: `US-${nth}`,
    title: words(6),
    status: 'done',
    why: '',
    attempts: [attempt(nth + 1, startedAt + nth)],
  }));
  const shown = {};
  for (const { attempts } of items) {
    for (const { shown: seen, verdict } of attempts) {
      for (const id of seen) {
        const counts = (shown[id] ??= { shown: 0, used: 0, won: 0, lost: 0, failed: 0, lastWon: 0 });
        counts.shown += 1;
        counts[verdict === 'accepted' ? 'won' : 'lost'] += 1;
      }
    }
  }
  const run = runId(n);
  const record = {
    version: 1,
    run,
    plan: { path: 'old.json', format: 'prd', name: `run ${n}` },
    branch: 'work',
    agent: 'command',
    startedAt,
    finishedAt: startedAt + DAY,
    reason: 'complete',
    why: '',
    activeMs: 1000,
    iterations: 10,
    usage,
    costUsd: 1,
    items,
    lessons: { shown, born: [] },
  };
  const archive = join(folder, 'archives', `run-${run}`);
  mkdirSync(archive, { recursive: true });
  writeFileSync(join(archive, '.gitignore'), '*\n');
  writeFileSync(join(archive, 'run.json'), JSON.stringify(record));
}

const runId = n => `2025-01-01-run-${n}`;

/** The folders of the archived runs, each with a copy of a real journal, older than the real run. */
export function writeOldRuns(folder, runs) {
  const place = join(folder, '.ralph', 'runs');
  const real = readdirSync(place).find(name => !name.startsWith('.'));
  for (let n = 0; n < runs; n++) {
    const old = join(place, runId(n));
    mkdirSync(old, { recursive: true });
    copyFileSync(join(place, real, 'journal.jsonl'), join(old, 'journal.jsonl'));
    const at = new Date(START + n * 1000);
    utimesSync(join(old, 'journal.jsonl'), at, at);
  }
}
