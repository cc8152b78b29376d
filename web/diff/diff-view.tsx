/** What changed, with what the guards found under the lines they found it at. */
import { useMemo, useState } from 'preact/hooks';
import { Words } from '../parts/bits.tsx';
import { plural } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Said, type SealName } from '../parts/seal.tsx';
import { highlighter } from './highlight.ts';
import { type DiffLine, type FileDiff, parseDiff } from './parse.ts';

export interface LineFinding {
  readonly rule: string;
  readonly level: 'note' | 'warn' | 'block';
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
}

interface DiffViewProps {
  readonly patch: string;
  readonly findings: readonly LineFinding[];
  /** The item it was found in, for the words that allow it. */
  readonly item: string;
}

/** Files that nobody reads line by line, and files that are very long, are opened on demand. */
const FOLDED = /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum|composer\.lock|Gemfile\.lock)$/;
const MANY_LINES = 600;

export function DiffView({ patch, findings, item }: DiffViewProps) {
  const files = useMemo(() => {
    const worst = (file: FileDiff) => (findings.some(({ path }) => path === file.path) ? 0 : 1);
    return parseDiff(patch).toSorted((a, b) => worst(a) - worst(b));
  }, [patch, findings]);
  const known = new Set(files.map(file => file.path));
  const elsewhere = findings.filter(({ path }) => path === undefined || !known.has(path));
  return (
    <>
      {elsewhere.length === 0 ? null : (
        <div class="in notes">
          {elsewhere.map((finding, index) => (
            <Note key={index} finding={finding} item={item} />
          ))}
        </div>
      )}
      {files.map(file => (
        <FileView key={file.path} file={file} findings={findings.filter(({ path }) => path === file.path)} item={item} />
      ))}
    </>
  );
}

interface FileViewProps {
  readonly file: FileDiff;
  readonly findings: readonly LineFinding[];
  readonly item: string;
}

function FileView({ file, findings, item }: FileViewProps) {
  const folds = findings.length === 0 && (FOLDED.test(file.path) || file.added + file.deleted > MANY_LINES);
  const [open, setOpen] = useState(!folds);
  const worst = findings.some(({ level }) => level === 'block') ? 'no' : 'warn';
  return (
    <>
      <div class="fileh" data-file={file.path} tabIndex={-1}>
        <Icon name="read" size={14} />
        <b class="mono name">{file.from === undefined ? file.path : `${file.from} → ${file.path}`}</b>
        {file.kind === 'modified' ? null : <span class="quiet">{file.kind}</span>}
        <span class="pm">+{file.added}</span>
        <span class="mm">−{file.deleted}</span>
        <span class="last">
          {findings.length > 0 ? (
            <Said seal={worst} size={12}>
              {plural(findings.length, 'finding')}
            </Said>
          ) : (
            <span class="quiet">nothing found</span>
          )}
        </span>
        {folds ? (
          <button type="button" class="btn sm" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Fold' : 'Open'}
          </button>
        ) : null}
      </div>
      {open ? <Lines file={file} findings={findings} item={item} /> : null}
    </>
  );
}

function Lines({ file, findings, item }: FileViewProps) {
  const cut = useMemo(() => highlighter(file.path), [file.path]);
  const inLines = new Set<LineFinding>();
  const at = (line: DiffLine) => {
    const number = line.kind === 'del' ? undefined : line.after;
    const here = findings.filter(finding => finding.line !== undefined && finding.line === number && !inLines.has(finding));
    for (const finding of here) inLines.add(finding);
    return here;
  };
  const hunks = file.hunks.map(hunk => ({ hunk, lines: hunk.lines.map(line => ({ line, here: at(line) })) }));
  const above = findings.filter(finding => !inLines.has(finding));
  return (
    <>
      {above.length === 0 ? null : (
        <div class="in notes">
          {above.map((finding, index) => (
            <Note key={index} finding={finding} item={item} />
          ))}
        </div>
      )}
      {file.binary ? <p class="in quiet">A binary file: there are no lines to show.</p> : null}
      {hunks.length === 0 ? null : (
        <div class="diff" tabIndex={0} role="region" aria-label={`Diff of ${file.path}`}>
          <table>
            <tbody>
              {hunks.map(({ hunk, lines }, index) => (
                <>
                  <tr class="hunk" key={`h${index}`}>
                    <td colSpan={4}>{hunk.head}</td>
                  </tr>
                  {lines.map(({ line, here }, each) => (
                    <>
                      <tr key={`l${each}`} class={[line.kind, here.length > 0 ? 'at' : ''].join(' ')}>
                        <td class="ln">{line.before}</td>
                        <td class="ln">{line.after}</td>
                        <td class="sg">{line.kind === 'add' ? '+' : line.kind === 'del' ? '−' : ''}</td>
                        <td>
                          {cut(line.text).map(({ as, text }, piece) =>
                            as === undefined ? (
                              text
                            ) : (
                              <span key={piece} class={as}>
                                {text}
                              </span>
                            ),
                          )}
                        </td>
                      </tr>
                      {here.map((finding, each) => (
                        <tr class="note" key={`n${each}`}>
                          <td colSpan={4}>
                            <Note finding={finding} item={item} />
                          </td>
                        </tr>
                      ))}
                    </>
                  ))}
                </>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

const LEVELS: Readonly<Record<LineFinding['level'], readonly [SealName, string]>> = {
  block: ['no', 'guard, blocks the attempt'],
  warn: ['warn', 'guard, accepted and shown'],
  note: ['notrun', 'guard, noted'],
};

function Note({ finding, item }: { readonly finding: LineFinding; readonly item: string }) {
  const [seal, words] = LEVELS[finding.level];
  return (
    <div class={`box ${finding.level}`} data-finding={finding.rule} tabIndex={-1}>
      <span>
        <Said seal={seal} size={14}>
          {finding.rule}
        </Said>{' '}
        <span class="quiet">{words}</span>
      </span>
      <span>
        <Words text={finding.message} />
      </span>
      {finding.level === 'block' ? (
        <span class="quiet">
          To allow it for {item}: <code>{`"allow": ["${finding.rule}${finding.path ? `:${finding.path}` : ''}"]`}</code> in
          the plan.
        </span>
      ) : null}
    </div>
  );
}
