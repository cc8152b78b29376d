/** The parts of a YAML file with their places: the little of it that sprints need, whoever read the text. */

/** Offsets of the first character and after the last one. */
type Range = readonly [start: number, end: number];

export interface YamlScalar {
  readonly type: 'scalar';
  readonly value: unknown;
  readonly range: Range;
}

export interface YamlMap {
  readonly type: 'map';
  /** Written as `{a: b}`. */
  readonly flow: boolean;
  readonly items: readonly YamlPair[];
  readonly range: Range;
}

export interface YamlSeq {
  readonly type: 'seq';
  /** Written as `[a, b]`. */
  readonly flow: boolean;
  readonly items: readonly YamlNode[];
  readonly range: Range;
}

/** An alias, which stands for data elsewhere. */
interface YamlOther {
  readonly type: 'other';
  readonly range: Range;
}

export type YamlNode = YamlScalar | YamlMap | YamlSeq | YamlOther;

export interface YamlPair {
  readonly key: YamlNode;
  /** Absent where there is not even a colon. */
  readonly value: YamlNode | undefined;
}

export const isScalar = (node: YamlNode | undefined): node is YamlScalar => node?.type === 'scalar';
export const isMap = (node: YamlNode | undefined): node is YamlMap => node?.type === 'map';
export const isSeq = (node: YamlNode | undefined): node is YamlSeq => node?.type === 'seq';

/** Where a pair ends. */
export const endOfPair = ({ key, value }: YamlPair): number => (value ?? key).range[1];
