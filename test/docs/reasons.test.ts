/** Programs match on a failure's reason: each is documented, and used. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureReasons } from '../../src/util/failure-reasons.ts';

const rows = Object.entries(failureReasons).map(([reason, says]) => `| \`${reason}\` | ${says} |`);

test('the library page lists every reason with its sentence, and no other', () => {
  const [, section = ''] = readFileSync('docs/library.md', 'utf8').split('### Reasons');
  const [table = ''] = section.split(/\n## /);
  expect(table.split('\n').filter(line => line.startsWith('| `'))).toEqual(rows);
});

test('no reason is left over', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('failure-reasons.ts'))
    .map(file => readFileSync(join('src', file), 'utf8'));
  const source = files.join('\n');
  // `custom` is for those who use the library.
  const unused = Object.keys(failureReasons).filter(reason => reason !== 'custom' && !source.includes(`'${reason}'`));
  expect(unused).toEqual([]);
});
