/** The front matter of a Markdown plan. Only fields that a format defines are used; nothing in it is ever executed. */
import { frontMatterLines } from './markdown-prose.ts';
import { isSeq, type YamlMap } from './sprint/nodes.ts';
import { nodeOf, readYaml, scalarText } from './sprint/yaml.ts';

export interface FrontMatter {
  /** Its description of the plan, as Markdown. */
  readonly about: string;
  /** The command that it names for running the tests. */
  readonly testCommand: string;
}

/** Fields that describe the plan, each with the label it is shown under. */
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

/** Reads the front matter. Never throws; invalid YAML counts as empty. */
export function readFrontMatter(text: string): FrontMatter {
  const root = rootOf(text);
  if (!root) return { about: '', testCommand: '' };
  return { about: aboutIn(root), testCommand: TEST_COMMANDS.flatMap(key => wordsAt(root, key))[0] ?? '' };
}

/** The fields of a mapping that describe a plan, as Markdown. */
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

/** The mapping between the two `---` lines. */
export function rootOf(text: string): YamlMap | undefined {
  if (!/^\uFEFF?---/.test(text)) return undefined;
  const lines = text.split('\n');
  const count = frontMatterLines(lines);
  const read = count > 2 ? readYaml(lines.slice(1, count - 1).join('\n')) : undefined;
  return read?.ok ? read.value.root : undefined;
}

/** The value of a field as a list; a single word is a list of one. */
export function wordsAt(map: YamlMap, key: string): readonly string[] {
  const node = nodeOf(map, key);
  const words = isSeq(node) ? node.items.map(scalarText) : [scalarText(node)];
  return words.map(word => word.trim()).filter(Boolean);
}
