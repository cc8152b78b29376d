/** Edits by offset: every byte outside them stays as it is. */
import type { JsonNode, JsonObject, JsonProperty } from './json.ts';

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap, in any order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let out = '';
  let at = 0;
  for (const edit of inOrder) {
    out += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return out + text.slice(at);
}

export const replaceNode = (node: JsonNode, text: string): Edit => ({ start: node.start, end: node.end, text });

/** Adds properties at the end of an object, with the separator and spacing it already uses. */
export function insertProperties(
  text: string,
  object: JsonObject,
  entries: readonly (readonly [key: string, value: string])[],
): readonly Edit[] {
  if (entries.length === 0) return [];
  const last = object.properties.at(-1);
  if (last === undefined) {
    const inside = entries.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(', ');
    return [{ start: object.start + 1, end: object.start + 1, text: inside }];
  }
  const separator = separatorOf(text, object);
  const colon = text.slice(last.keyEnd, last.value.start);
  const added = entries.map(([key, value]) => `${separator}${JSON.stringify(key)}${colon}${value}`).join('');
  return [{ start: last.value.end, end: last.value.end, text: added }];
}

/** Removes properties together with the separator before them, so that this exactly undoes an insertion. */
export function removeProperties(object: JsonObject, remove: (property: JsonProperty) => boolean): readonly Edit[] {
  const { properties } = object;
  const edits: Edit[] = [];
  for (let first = 0; first < properties.length; first++) {
    if (!remove(properties[first] as JsonProperty)) continue;
    let last = first;
    while (last + 1 < properties.length && remove(properties[last + 1] as JsonProperty)) last++;
    const from = properties[first] as JsonProperty;
    const to = properties[last] as JsonProperty;
    const before = properties[first - 1];
    const after = properties[last + 1];
    edits.push({
      start: before?.value.end ?? from.start,
      end: before === undefined && after !== undefined ? after.start : to.value.end,
      text: '',
    });
    first = last;
  }
  return edits;
}

/** The text between the last two properties: comma, line break and indentation. */
function separatorOf(text: string, object: JsonObject): string {
  const last = object.properties.at(-1);
  const previous = object.properties.at(-2);
  if (last === undefined) return ', ';
  if (previous !== undefined) return text.slice(previous.value.end, last.start);
  const lead = text.slice(object.start + 1, last.start);
  return lead.includes('\n') ? `,${lead}` : ', ';
}
