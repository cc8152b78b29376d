/** The lock file is for every platform and names no place of one machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { project } from './scene.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/** As node looks for it: in the package's own folder, then beside it, then further up. */
function found(from: string, name: string): Locked | undefined {
  const parts = from.split('/node_modules/');
  const places = parts.map((_, index) => [...parts.slice(0, parts.length - index), name].join('/node_modules/'));
  const key = [...places, `node_modules/${name}`].find(place => packages[place] !== undefined);
  return key === undefined ? undefined : packages[key];
}

test('what other platforms install is locked too: without it npm ci refuses there', () => {
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, wanted]) => {
        const locked = found(from, name);
        return !locked || (/^\d/.test(wanted) && locked.version !== wanted);
      })
      .map(([name, wanted]) => `${name}@${wanted}, of ${from}`),
  );
  expect(missing).toEqual([]);
});

test('it names no registry', () => {
  expect(Object.values(packages).flatMap(({ resolved }) => resolved ?? [])).toEqual([]);
});
