/** The changes of an iteration, with the guards' findings under their lines. */
import { useMemo, useState } from 'preact/hooks';
import type { Finding } from '../../src/protocol.ts';
import type { DiffFile, DiffView } from '../../src/view/index.ts';
import { plural } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Said } from '../parts/seal.tsx';
import { diffColumns } from './columns.ts';
import { highlighter } from './highlight.ts';
import { Notes } from './notes.tsx';
import { placed } from './placed.ts';
import { OneColumn, TwoColumns } from './tables.tsx';

interface DiffProps {
  readonly diff: DiffView;
  readonly findings: readonly Finding[];
  /** The item, for the text that would allow a finding. */
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
            <span class="quiet">{file.folded ?? 'no findings'}</span>
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
  // A new or deleted file has no second column.
  const Table =
    diffColumns.value === 'two' && file.kind !== 'added' && file.kind !== 'deleted' ? TwoColumns : OneColumn;
  return (
    <>
      <Notes findings={above} item={item} />
      {file.binary ? <p class="in quiet">A binary file: there are no lines to show.</p> : null}
      {hunks.length === 0 ? null : (
        <div class="diff" tabIndex={0} role="region" aria-label={`Diff of ${file.path}`}>
          <Table hunks={hunks} cut={cut} item={item} />
        </div>
      )}
    </>
  );
}
