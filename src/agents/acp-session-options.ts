/** What is set in a session before its prompt: never ask for permission, this model, this effort. Pure. */
import { effortWord } from './effort.ts';
import { type Json, recordAt, recordsAt, textAt } from './json-lines.ts';

export interface SessionCall {
  readonly method: string;
  readonly params: Json;
  /** Without it the turn would not be what was asked for. */
  readonly needed?: true;
}

/** Modes in which nobody is asked, as the agents name them. */
const UNATTENDED = /^(yolo|bypassPermissions|full-access|agent-full-access)$/i;

export function sessionCalls(
  session: Json,
  { model, effort }: { readonly model: string; readonly effort: string },
): { readonly calls: readonly SessionCall[] } | { readonly error: Json } {
  const chosen = model === '' ? [] : modelCall(session, model);
  if ('error' in chosen) return chosen;
  return { calls: [...modeCall(session), ...chosen, ...effortCall(session, effort)] };
}

function modeCall(session: Json): readonly SessionCall[] {
  const modes = recordAt(session, 'modes');
  const mode = recordsAt(modes, 'availableModes').find(({ id }) => UNATTENDED.test(String(id)));
  if (!mode || modes?.currentModeId === mode.id) return [];
  return [{ method: 'session/set_mode', params: { modeId: mode.id } }];
}

function modelCall(session: Json, model: string): readonly SessionCall[] | { readonly error: Json } {
  const listed = recordsAt(recordAt(session, 'models'), 'availableModels');
  const known = listed.find(entry => textAt(entry, 'modelId') === model || textAt(entry, 'name') === model);
  if (known) return [{ method: 'session/set_model', params: { modelId: textAt(known, 'modelId') }, needed: true }];
  const option = optionOf(session, 'model');
  const values = recordsAt(option, 'options');
  const value = values.find(entry => textAt(entry, 'value') === model || textAt(entry, 'name') === model);
  if (option && value) {
    const params = { configId: textAt(option, 'id'), value: textAt(value, 'value') };
    return [{ method: 'session/set_config_option', params, needed: true }];
  }
  const names = [...listed.map(entry => textAt(entry, 'modelId')), ...values.map(entry => textAt(entry, 'value'))];
  const some = names.slice(0, 12).join(', ');
  const known12 = some ? `it knows ${some}${names.length > 12 ? ' and more' : ''}` : 'it cannot be told which';
  return { error: { code: -32_602, message: `the agent has no model named "${model}"; ${known12}` } };
}

function effortCall(session: Json, effort: string): readonly SessionCall[] {
  const option = optionOf(session, 'thought_level');
  if (effort === '' || !option) return [];
  const value = effortWord(
    effort,
    recordsAt(option, 'options').map(entry => textAt(entry, 'value')),
  );
  return value ? [{ method: 'session/set_config_option', params: { configId: textAt(option, 'id'), value } }] : [];
}

const optionOf = (session: Json, category: string): Json | undefined =>
  recordsAt(session, 'configOptions').find(option => textAt(option, 'category') === category);

/** Nobody is there to ask: what it may do is the sandbox's and the guards' to say. */
export function permissionAnswer(request: Json): Json | undefined {
  if (textAt(request, 'method') !== 'session/request_permission') return undefined;
  const options = recordsAt(recordAt(request, 'params'), 'options');
  const kind = (wanted: string) => options.find(option => textAt(option, 'kind') === wanted);
  const option = kind('allow_once') ?? kind('allow_always');
  return { outcome: option ? { outcome: 'selected', optionId: textAt(option, 'optionId') } : { outcome: 'cancelled' } };
}
