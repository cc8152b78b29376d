/** OTLP as its own definitions read it: the messages that the OpenTelemetry project generates from its .proto files. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Message {
  verify(value: object): string | null;
  fromObject(value: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}

const require = createRequire(import.meta.url);
const root = require(join(dirname(require.resolve('@opentelemetry/otlp-transformer')), 'generated', 'root.js')) as {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Message } } } } };
};
const { ExportTraceServiceRequest } = root.opentelemetry.proto.collector.trace.v1;

export interface ReadSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly events?: readonly { readonly name: string }[];
  readonly status?: { readonly code: number; readonly message: string };
}

export interface ReadRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ReadSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly ReadSpan[] }[];
  }[];
}

const IDS = ['traceId', 'spanId', 'parentSpanId'];

/** JSON has ids in hexadecimal, where other bytes would be base64. */
const bytesOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bytesOf);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([key, inner]) => [
    key,
    IDS.includes(key) ? Buffer.from(String(inner), 'hex') : bytesOf(inner),
  ]);
  return Object.fromEntries(pairs) as object;
};

const hexOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(hexOf);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hexOf(inner)]));
};

/** Through the wire format and back. Every field that the definitions do not know is lost on the way. */
export function throughProtobuf(text: string): { readonly read: ReadRequest; readonly given: unknown } {
  const given: unknown = JSON.parse(text);
  const message = ExportTraceServiceRequest.fromObject(bytesOf(given) as object);
  const problem = ExportTraceServiceRequest.verify(message);
  if (problem !== null) throw new Error(problem);
  const bytes = ExportTraceServiceRequest.encode(message).finish();
  const back = ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(bytes), { longs: String });
  return { read: hexOf(back) as ReadRequest, given };
}

export const spansIn = ({ resourceSpans }: ReadRequest): readonly ReadSpan[] =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

export const attributesOf = ({ attributes }: Pick<ReadSpan, 'attributes'>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
