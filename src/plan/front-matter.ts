/** The settings at the top of a Markdown plan. Only words that formats define mean something; nothing here is ever run. */
import { frontMatterLines } from './markdown-prose.ts';
import { isSeq, type YamlMap } from './sprint/nodes.ts';
import { nodeOf, readYaml, scalarText } from './sprint/yaml.ts';

export interface FrontMatter {
  /** What it says about the plan, as Markdown. */
  readonly about: string;
  /** What it names for running the tests. */
  readonly testCommand: string;
}

/** What is said about the plan, and the words it is introduced with. */
const ABOUT: readonly (readonly [label: string, keys: readonly string[]])[] = [
  ['Task', ['task']],
  ['Goal', ['goal', 'goals']],
  ['Description', ['description', 'summary']],
  ['Context', ['context']],
  ['Stack', ['stack', 'tech_stack', 'techStack']],
  ['Rules', ['rules', 'constraints', 'conventions']],
  ['The plan is complete when', ['completion_criteria', 'completionCriteria', 'success_criteria']],
];
const TEST_COMMANDS = ['test_command', 'testCommand', 'test-command'];

/** Never throws; what is no YAML says nothing. */
export function readFrontMatter(text: string): FrontMatter {
  const root = rootOf(text);
  if (!root) return { about: '', testCommand: '' };
  return { about: aboutIn(root), testCommand: TEST_COMMANDS.flatMap(key => wordsAt(root, key))[0] ?? '' };
}

/** The fields of a mapping that describe a plan. */
export function aboutIn(root: YamlMap, except: readonly string[] = []): string {
  return ABOUT.map(([label, keys]) => {
    const words = keys.filter(key => !except.includes(key)).flatMap(key => wordsAt(root, key));
    return words.length > 1
      ? `${label}:\n\n${words.map(each => `- ${each}`).join('\n')}`
      : words.map(each => `${label}: ${each}`).join('');
  })
    .filter(Boolean)
    .join('\n\n');
}

/** The mapping between the two lines of dashes. */
export function rootOf(text: string): YamlMap | undefined {
  if (!/^\uFEFF?---/.test(text)) return undefined;
  const lines = text.split('\n');
  const count = frontMatterLines(lines);
  const read = count > 2 ? readYaml(lines.slice(1, count - 1).join('\n')) : undefined;
  return read?.ok ? read.value.root : undefined;
}

/** A list of words, or a single one. */
export function wordsAt(map: YamlMap, key: string): readonly string[] {
  const node = nodeOf(map, key);
  const words = isSeq(node) ? node.items.map(scalarText) : [scalarText(node)];
  return words.map(word => word.trim()).filter(Boolean);
}
