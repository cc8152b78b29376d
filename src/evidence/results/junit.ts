/** Reads JUnit XML, which many test runners write. */
import { isFilePath, Tally, type TestResults } from './tally.ts';

export function readJunit(text: string): TestResults | undefined {
  if (!/<testsuites?\b/.test(text)) return undefined;
  const tally = new Tally('JUnit XML');
  // Split first: one pattern over a whole file of unclosed elements would take very long.
  for (const piece of text.split(/<testcase(?=[\s>])/).slice(1)) {
    const attributes = /^(?:[^>"']|"[^"]*"|'[^']*')*/.exec(piece)?.[0] ?? '';
    const [name, place] = [attribute(attributes, 'name'), attribute(attributes, 'classname')];
    const end = attributes.endsWith('/') ? attributes.length : piece.indexOf('</testcase>');
    const inside = piece.slice(attributes.length, end < 0 ? undefined : end);
    const bad = /<(?:failure|error)\b/.test(inside);
    if (bad && (isFilePath(name) || name === place)) tally.cannotLoad(name);
    else if (/<skipped\b/.test(inside)) tally.add(`${place} > ${name}`, 'skipped');
    else tally.add(`${place} > ${name}`, bad ? 'failed' : 'passed');
  }
  return tally.results();
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function attribute(attributes: string, name: string): string {
  const match = new RegExp(String.raw`(?:^|\s)${name}=(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const raw = match?.[1] ?? match?.[2] ?? '';
  return raw.replace(/&(lt|gt|amp|quot|apos);/g, (all, entity: string) => ENTITIES[entity] ?? all);
}
