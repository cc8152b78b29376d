/** YAML nodes with their offsets: the subset that sprints need, shared by both parsers. */

/** Offsets of the first character and after the last one. */
interface Placed {
  readonly start: number;
  readonly end: number;
}

export interface YamlScalar extends Placed {
  readonly type: 'scalar';
  readonly value: unknown;
}

export interface YamlMap extends Placed {
  readonly type: 'map';
  /** Written as `{a: b}`. */
  readonly flow: boolean;
  readonly items: readonly YamlPair[];
}

export interface YamlSeq extends Placed {
  readonly type: 'seq';
  /** Written as `[a, b]`. */
  readonly flow: boolean;
  readonly items: readonly YamlNode[];
}

/** An alias, which refers to data elsewhere. */
interface YamlOther extends Placed {
  readonly type: 'other';
}

export type YamlNode = YamlScalar | YamlMap | YamlSeq | YamlOther;

export interface YamlPair {
  readonly key: YamlNode;
  /** Absent if there is not even a colon. */
  readonly value: YamlNode | undefined;
}

export const isScalar = (node: YamlNode | undefined): node is YamlScalar => node?.type === 'scalar';
export const isMap = (node: YamlNode | undefined): node is YamlMap => node?.type === 'map';
export const isSeq = (node: YamlNode | undefined): node is YamlSeq => node?.type === 'seq';

/** The offset where a pair ends. */
export const endOfPair = ({ key, value }: YamlPair): number => (value ?? key).end;
