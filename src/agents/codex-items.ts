/** The items of a Codex stream: commands, edits, searches and calls of tools, and what came of each. */
import type { AgentSignal } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { type Json, recordAt, recordsAt, textAt } from './json-lines.ts';
import { toolDetail } from './tool-detail.ts';
import { answerText, toolResult } from './tool-result.ts';

/** What it does, by the item that says so. */
export function toolCall(item: Json | undefined, type: string): AgentSignal {
  const id = textAt(item, 'id');
  return { type: 'tool', name: toolName(item, type), detail: itemDetail(item), ...(id ? { id } : {}) };
}

/** What came of a call; nothing where there is nothing to say. */
export function itemResult(item: Json | undefined, id: string): readonly AgentSignal[] {
  const exit = item?.exit_code;
  const failed = textAt(item, 'status') === 'failed' || (typeof exit === 'number' && exit !== 0);
  const error = textAt(recordAt(item, 'error'), 'message');
  const text =
    textAt(item, 'aggregated_output') ||
    error ||
    answerText(recordAt(item, 'result')?.content) ||
    (failed ? 'failed' : '');
  if (text === '') return [];
  const code = failed && typeof exit === 'number' ? `exit code ${exit}\n` : '';
  return [toolResult({ text: code + text, failed, id })];
}

/** Commands are wrapped in a shell's call; what was meant is what is in it. */
const unwrapped = (command: string): string => /^\S*sh -l?c '([^']+)'$/.exec(command)?.[1] ?? command;

function toolName(item: Json | undefined, type: string): string {
  switch (type) {
    case 'command_execution':
      return 'Bash';
    case 'file_change':
      return 'Edit';
    case 'web_search':
      return 'WebSearch';
    case 'mcp_tool_call':
      return [textAt(item, 'server'), textAt(item, 'tool')].filter(Boolean).join('.') || type;
    default:
      return type;
  }
}

function itemDetail(item: Json | undefined): string {
  const files = recordsAt(item, 'changes').map(change => textAt(change, 'path'));
  if (files.length > 0) return oneLine(files.slice(0, 20).join(', '), 200);
  const command = textAt(item, 'command');
  if (command) return oneLine(unwrapped(command.slice(0, 1000)), 200);
  const { id: _, type: __, status: ___, ...rest } = item ?? {};
  return toolDetail(recordAt(item, 'arguments') ?? rest);
}
