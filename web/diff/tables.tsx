/** The lines of one file: in one column, or old and new side by side. */
import { Fragment } from 'preact';
import type { Finding } from '../../src/protocol.ts';
import type { Piece } from './highlight.ts';
import { Note } from './notes.tsx';
import type { DiffLine } from './parse.ts';
import { type PlacedHunk, pairsOf } from './placed.ts';

interface TableProps {
  readonly hunks: readonly PlacedHunk[];
  readonly cut: (line: string) => readonly Piece[];
  readonly item: string;
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { add: '+', del: '−', same: '' };

export function OneColumn({ hunks, cut, item }: TableProps) {
  return (
    <table>
      <tbody>
        {hunks.map(({ head, lines }, index) => (
          <Fragment key={index}>
            <HunkHead head={head} span={4} />
            {lines.map(({ line, here }, each) => (
              <Fragment key={each}>
                <tr class={[line.kind, here.length > 0 ? 'at' : ''].join(' ')}>
                  <td class="ln">{line.before}</td>
                  <td class="ln">{line.after}</td>
                  <td class="sg">{SIGNS[line.kind]}</td>
                  <td>
                    <Code text={line.text} cut={cut} />
                  </td>
                </tr>
                <NoteRows findings={here} item={item} span={4} />
              </Fragment>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

export function TwoColumns({ hunks, cut, item }: TableProps) {
  return (
    <table class="two">
      <colgroup>
        <col class="ln" />
        <col class="sg" />
        <col />
        <col class="ln" />
        <col class="sg" />
        <col />
      </colgroup>
      <thead class="vh">
        <tr>
          <th scope="col" colSpan={3}>
            Before
          </th>
          <th scope="col" colSpan={3}>
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {hunks.map(({ head, lines }, index) => (
          <Fragment key={index}>
            <HunkHead head={head} span={6} />
            {pairsOf(lines).map(({ before, after, here }, each) => (
              <Fragment key={each}>
                <tr class={here.length > 0 ? 'at' : ''}>
                  <Half line={before} number={before?.before} cut={cut} />
                  <Half line={after} number={after?.after} cut={cut} />
                </tr>
                <NoteRows findings={here} item={item} span={6} />
              </Fragment>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

interface HalfProps {
  readonly line: DiffLine | undefined;
  readonly number: number | undefined;
  readonly cut: TableProps['cut'];
}

function Half({ line, number, cut }: HalfProps) {
  const kind = line === undefined ? 'nothing' : line.kind;
  return (
    <>
      <td class={`ln ${kind}`}>{number}</td>
      <td class={`sg ${kind}`}>{line === undefined ? '' : SIGNS[line.kind]}</td>
      <td class={`code ${kind}`}>{line === undefined ? null : <Code text={line.text} cut={cut} />}</td>
    </>
  );
}

function Code({ text, cut }: { readonly text: string; readonly cut: TableProps['cut'] }) {
  return (
    <>
      {cut(text).map(({ as, text: piece }, index) =>
        as === undefined ? (
          piece
        ) : (
          <span key={index} class={as}>
            {piece}
          </span>
        ),
      )}
    </>
  );
}

function HunkHead({ head, span }: { readonly head: string; readonly span: number }) {
  return (
    <tr class="hunk">
      <td colSpan={span}>{head}</td>
    </tr>
  );
}

interface NoteRowsProps {
  readonly findings: readonly Finding[];
  readonly item: string;
  readonly span: number;
}

function NoteRows({ findings, item, span }: NoteRowsProps) {
  return (
    <>
      {findings.map((finding, index) => (
        <tr class="note" key={index}>
          <td colSpan={span}>
            <Note finding={finding} item={item} />
          </td>
        </tr>
      ))}
    </>
  );
}
