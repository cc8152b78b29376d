/** The closing form of the brief, filled in as a model would: word for word first, then with what models add to it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOTE = 'I wrote the file with a shell command and decided against a template.';
const LESSON = 'The shell drops trailing newlines -> write with printf.';

/** The form as it stands at the end of the brief, with the model's own words in the places for them. */
function filledIn(brief) {
  const form = brief.slice(brief.lastIndexOf('\n[') + 1).trim();
  const shown = [...brief.matchAll(/^- \*\*(L-[0-9a-f]+)\*\*/gm)].map(([, id]) => id);
  return form
    .replace(/\[[^\]]*\]/, NOTE)
    .replace('<used>L-...</used>', `<used>${shown.join(', ')}</used>`)
    .replace(/(<lesson [^>]*>)\.\.\.(<\/lesson>)/, `$1${LESSON}$2`);
}

const claimIn = form => form.split('\n').at(-1);
const withClaim = (form, change) => {
  const claim = claimIn(form);
  return form.slice(0, -claim.length) + change(claim);
};
const ways = {
  'word for word': form => form,
  'a code block right before the claim': form => withClaim(form, claim => `\`\`\`sh\nnpm test\n\`\`\`\n${claim}`),
  'the claim in bold': form => withClaim(form, claim => `**${claim}**`),
  'the claim as a list entry': form => withClaim(form, claim => `- ${claim}`),
  'words after the claim': form => `${form}\n\nLet me know if anything else is needed.`,
  'lines that end in CRLF': form => form.replaceAll('\n', '\r\n'),
  'tags in bold': form => form.replace(/^<.*>$/gm, line => `**${line}**`),
  'a used line in backticks': form => form.replace(/<used>.*<\/used>/, line => `\`${line}\``),
};

const nouns = ['lantern', 'harbour', 'orchard', 'compass', 'saddle', 'anvil', 'kettle', 'violin'];
const items = Object.keys(ways).map((way, index) => ({ id: `T-${index + 1}`, way, noun: nouns[index] }));
const seeded = items.map(({ noun }, index) => ({ id: `L-${`${index}a1b2c3`.slice(0, 6)}`, noun }));

/** One item for each way to fill the form in, and for each a lesson that fits. */
export const closingForm = {
  stories: items.map(({ id, noun }) => ({ id, title: `Write ${noun}.txt`, passes: false })),
  files: {
    '.ralph/lessons.md': `# Lessons\n${seeded.map(({ id, noun }) => `\n## ${id} fact\n\nThe ${noun}.txt file ends with a newline.\n`).join('')}`,
  },
  // Without an archive nothing is remembered.
  config: { archive: 'archives' },
  model: {
    turns: brief => {
      const item = items.find(({ id }) => brief.includes(`## Your item: ${id}\n`));
      if (!item) return [{ say: 'I have no item.' }];
      return [{ shell: `echo ${item.noun} > ${item.noun}.txt` }, { say: ways[item.way](filledIn(brief)) }];
    },
  },
  expect: { exit: 0, verdicts: items.map(() => 'accepted'), claim: 'signal' },
  check: ({ root, records }) => {
    const log = join(root, '.ralph/progress.md');
    const notes = existsSync(log) ? readFileSync(log, 'utf8').split(NOTE).length - 1 : 0;
    if (notes !== items.length) return `${notes} of ${items.length} notes are in the progress log`;
    for (const [index, { id, way }] of items.entries()) {
      const said = records.find(({ type, item }) => type === 'lessons.said' && item === id);
      if (said?.lessons[0]?.text !== LESSON) return `${way}: the lesson was read as ${JSON.stringify(said?.lessons)}`;
      if (!said.used.includes(seeded[index].id))
        return `${way}: used lessons were read as ${JSON.stringify(said.used)}`;
    }
  },
};
