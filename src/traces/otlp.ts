/** Spans as OTLP/JSON: what a collector takes at `/v1/traces`. Ids are hexadecimal there, and 64-bit numbers are texts. */
import type { Attributes, AttributeValue, Span } from './span.ts';

declare const __VERSION__: string;
/** From sources there is none. */
const VERSION = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0';

const INTERNAL = 1;
const FAILED = 2;
/** A text from outside is cut here: collectors refuse what is too large as a whole. */
const LONGEST = 2000;

/** Takes out of a text what must not leave the machine. */
export type Clean = (text: string) => string;

export function otlpRequest(spans: readonly Span[], clean: Clean): object {
  const own = keyValues({ 'service.name': 'ralph', 'service.version': VERSION }, clean);
  const scope = { name: 'ralph', version: VERSION };
  const scopeSpans = [{ scope, spans: spans.map(span => otlpSpan(span, clean)) }];
  return { resourceSpans: [{ resource: { attributes: own }, scopeSpans }] };
}

function otlpSpan({ trace, id, parent, name, start, end, attributes, events = [], error }: Span, clean: Clean): object {
  const told = events.map(event => ({
    timeUnixNano: nanos(event.at),
    name: event.name,
    attributes: keyValues(event.attributes, clean),
  }));
  return {
    traceId: trace,
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name,
    kind: INTERNAL,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(Math.max(start, end)),
    attributes: keyValues(attributes, clean),
    ...(told.length > 0 ? { events: told } : {}),
    ...(error === undefined ? {} : { status: { code: FAILED, message: short(error, clean) } }),
  };
}

const nanos = (ms: number): string => `${Math.max(0, Math.round(ms))}000000`;

const keyValues = (attributes: Attributes, clean: Clean): readonly object[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value, clean) }],
  );

function anyValue(value: AttributeValue, clean: Clean): object {
  switch (typeof value) {
    case 'string':
      return { stringValue: short(value, clean) };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return { arrayValue: { values: value.map(each => ({ stringValue: short(each, clean) })) } };
  }
}

function short(text: string, clean: Clean): string {
  const shown = clean(text);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}
