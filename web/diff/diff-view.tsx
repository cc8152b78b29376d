/** What changed, with what the guards found under the lines they found it at. */
import { Fragment } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Finding } from '../../src/protocol.ts';
import type { DiffFile, DiffView } from '../../src/view/index.ts';
import { Words } from '../parts/bits.tsx';
import { plural } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Said, type SealName } from '../parts/seal.tsx';
import { highlighter } from './highlight.ts';
import { type DiffLine, hunksOf } from './parse.ts';

interface DiffProps {
  readonly diff: DiffView;
  readonly findings: readonly Finding[];
  /** The item it was found in, for the words that allow it. */
  readonly item: string;
}

export function Diff({ diff, findings, item }: DiffProps) {
  const known = new Set(diff.files.map(file => file.path));
  const elsewhere = findings.filter(({ path }) => path === undefined || !known.has(path));
  return (
    <>
      <Notes findings={elsewhere} item={item} />
      {diff.files.map(file => (
        <FileView
          key={file.path}
          file={file}
          findings={findings.filter(({ path }) => path === file.path)}
          item={item}
        />
      ))}
      {diff.state === 'cut' ? (
        <p class="in quiet">The diff is longer than what is shown here; all of it is in the ref or the commit.</p>
      ) : null}
    </>
  );
}

interface FileViewProps {
  readonly file: DiffFile;
  readonly findings: readonly Finding[];
  readonly item: string;
}

function FileView({ file, findings, item }: FileViewProps) {
  const folds = findings.length === 0 && file.folded !== null;
  const [open, setOpen] = useState(!folds);
  const worst = findings.some(({ level }) => level === 'block') ? 'no' : 'warn';
  return (
    <>
      <div class="fileh" data-file={file.path} tabIndex={-1}>
        <Icon name="read" size={14} />
        <b class="mono name">{file.oldPath === null ? file.path : `${file.oldPath} → ${file.path}`}</b>
        {file.kind === 'modified' ? null : <span class="quiet">{file.kind}</span>}
        <span class="pm">+{file.added}</span>
        <span class="mm">−{file.deleted}</span>
        <span class="last">
          {findings.length > 0 ? (
            <Said seal={worst} size={12}>
              {plural(findings.length, 'finding')}
            </Said>
          ) : (
            <span class="quiet">{file.folded ?? 'nothing found'}</span>
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
  const { hunks, above } = useMemo(() => placed(file.patch, findings), [file.patch, findings]);
  return (
    <>
      <Notes findings={above} item={item} />
      {file.binary ? <p class="in quiet">A binary file: there are no lines to show.</p> : null}
      {hunks.length === 0 ? null : (
        <div class="diff" tabIndex={0} role="region" aria-label={`Diff of ${file.path}`}>
          <table>
            <tbody>
              {hunks.map(({ head, lines }, index) => (
                <Fragment key={index}>
                  <tr class="hunk">
                    <td colSpan={4}>{head}</td>
                  </tr>
                  {lines.map(({ line, here }, each) => (
                    <Fragment key={each}>
                      <tr class={[line.kind, here.length > 0 ? 'at' : ''].join(' ')}>
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
                    </Fragment>
                  ))}
                </Fragment>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

/** Each finding at its line; those whose line is not in the patch stand above it. */
function placed(patch: string, findings: readonly Finding[]) {
  const inLines = new Set<Finding>();
  const at = ({ kind, after }: DiffLine) => {
    if (kind === 'del') return [];
    const here = findings.filter(
      finding => finding.line !== undefined && finding.line === after && !inLines.has(finding),
    );
    for (const finding of here) inLines.add(finding);
    return here;
  };
  const hunks = hunksOf(patch).map(({ head, lines }) => ({
    head,
    lines: lines.map(line => ({ line, here: at(line) })),
  }));
  return { hunks, above: findings.filter(finding => !inLines.has(finding)) };
}

function Notes({ findings, item }: { readonly findings: readonly Finding[]; readonly item: string }) {
  if (findings.length === 0) return null;
  return (
    <div class="in notes">
      {findings.map((finding, index) => (
        <Note key={index} finding={finding} item={item} />
      ))}
    </div>
  );
}

const LEVELS: Readonly<Record<Finding['level'], readonly [SealName, string]>> = {
  block: ['no', 'guard, blocks the attempt'],
  warn: ['warn', 'guard, accepted and shown'],
  note: ['notrun', 'guard, noted'],
};

function Note({ finding, item }: { readonly finding: Finding; readonly item: string }) {
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
          To allow it for {item}: <code>{`"allow": ["${finding.rule}${finding.path ? `:${finding.path}` : ''}"]`}</code>{' '}
          in the plan.
        </span>
      ) : null}
    </div>
  );
}
