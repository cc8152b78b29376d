/** What a Claude Code session said last, from the transcript it keeps: one JSON record per line. */

import { isRecord } from '../util/json.ts';
import { type Json, recordAt, recordsAt, recordsOf, textAt } from './json-lines.ts';

/** The text of the last message of the session itself; what its subagents said is not its word. */
export function lastMessageIn(transcript: string): string {
  let id: string | undefined;
  const parts: string[] = [];
  // From the end: a transcript has many megabytes, and its last message a few lines.
  for (let end = transcript.length; end > 0; ) {
    const start = transcript.lastIndexOf('\n', end - 1) + 1;
    const message = ownMessage(transcript.slice(start, end));
    end = start - 1;
    if (message === undefined) continue;
    // Each block of a message is a record of its own, under the same id.
    const of = textAt(message, 'id');
    if (id !== undefined && (of === '' || of !== id)) break;
    id = of;
    parts.unshift(textIn(message));
  }
  return parts.filter(part => part !== '').join('\n');
}

function ownMessage(line: string): Json | undefined {
  if (!line.includes('"assistant"')) return undefined;
  const [record] = recordsOf(line);
  if (!isRecord(record) || record.type !== 'assistant' || record.isSidechain === true) return undefined;
  return recordAt(record, 'message');
}

const textIn = (message: Json): string =>
  recordsAt(message, 'content')
    .filter(block => block.type === 'text')
    .map(block => textAt(block, 'text'))
    .join('\n');
