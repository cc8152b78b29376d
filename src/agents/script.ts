/** The built-in scripted agent: a real program that follows a scenario instead of a model. See docs/script-agent.md. */
import { resolve } from 'node:path';
import type { Agent, AgentFailure, AgentReader, AgentSignal, FailureClass, Usage } from '../protocol.ts';
import { addUsage, noUsage } from '../state.ts';
import { builtFile } from '../util/built-file.ts';
import { failureOfEnd } from './failures.ts';
import { amountAt, type Json, recordsOf, textAt } from './json-lines.ts';
import { endOfMessage } from './message.ts';
import { toolResult } from './tool-result.ts';
import { unknownEvents } from './unknown-events.ts';

export const script: Agent = {
  name: 'script',
  command: ({ scenario = '', args, env }) => ({
    // The agent works in its own tree, which need not be where the scenario's path was written down.
    argv: [process.execPath, builtFile('cli/script-agent.cjs'), resolve(scenario), ...args],
    env,
  }),
  read: scriptReader,
};

const CLASSES: ReadonlySet<string> = new Set<FailureClass>([
  'network',
  'rate-limit',
  'overload',
  'timeout',
  'auth',
  'setup',
  'validation',
  'logic',
]);

function scriptReader(): AgentReader {
  let message = '';
  let usage: Usage = noUsage;
  let costUsd = 0;
  let failure: AgentFailure | undefined;
  let started = false;
  let finished = false;
  const strange = unknownEvents([]);

  function read(event: Json): readonly AgentSignal[] {
    started = true;
    switch (event.type) {
      case 'text':
        return [{ type: 'text', text: textAt(event, 'text') }];
      case 'tool':
        return [{ type: 'tool', name: textAt(event, 'name'), detail: textAt(event, 'detail') }];
      case 'output': {
        const failed = event.exit !== 0;
        const code = failed ? `exit ${String(event.exit)}\n` : '';
        return [toolResult({ text: code + textAt(event, 'text'), failed })];
      }
      case 'usage': {
        const [inputTokens, outputTokens] = [amountAt(event, 'input'), amountAt(event, 'output')];
        usage = addUsage(usage, { inputTokens, outputTokens, cachedTokens: amountAt(event, 'cached') });
        costUsd += amountAt(event, 'cost');
        return [{ type: 'usage', usage, ...(costUsd > 0 ? { costUsd } : {}) }];
      }
      case 'limit': {
        const resetAt = amountAt(event, 'resetAt');
        failure = { class: 'rate-limit', message: textAt(event, 'message'), ...(resetAt ? { resetAt } : {}) };
        return [{ type: 'error', text: failure.message }, { type: 'finished' }];
      }
      case 'error': {
        const named = textAt(event, 'class');
        failure = { class: isClass(named) ? named : 'logic', message: textAt(event, 'message') };
        return [{ type: 'error', text: failure.message }, { type: 'finished' }];
      }
      case 'result':
        message = textAt(event, 'message');
        finished = true;
        return [{ type: 'finished' }];
      default:
        return strange.see(textAt(event, 'type'));
    }
  }

  return {
    line: line => recordsOf(line).flatMap(read),
    end: end => {
      const found = failure ?? failureOfEnd(end, { started, finished, answered: started });
      return {
        message: endOfMessage(message),
        usage,
        costUsd,
        ...(found ? { failure: found } : {}),
        ...strange.counts(),
      };
    },
  };
}

const isClass = (name: string): name is FailureClass => CLASSES.has(name);
