/** Morning: what can I merge? One dossier per branch, those that need a person first. */
import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { DossierView, LookView } from '../../src/view/index.ts';
import { address } from '../data/address.ts';
import { useView } from '../data/store.ts';
import { useKeys } from '../keys.ts';
import { Command, copy, Empty, Hints, Words } from '../parts/bits.tsx';
import { useChosen } from '../parts/chosen.ts';
import { duration, moment, plural, sum, usd } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Said, Seal, type SealName } from '../parts/seal.tsx';
import { MiniTape } from '../parts/tape.tsx';
import { go, hrefOf } from '../route.ts';
import { Loading, TroubleView } from './states.tsx';

/** Which dossiers this reader has looked at, if the browser allows storage. */
const STORED = 'ralph.looked-at';
const lookedAt = signal<ReadonlySet<string>>(new Set(stored()));

function stored(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '[]') as string[];
  } catch {
    return [];
  }
}

function toggle(key: string): void {
  const next = new Set(lookedAt.value);
  if (!next.delete(key)) next.add(key);
  lookedAt.value = next;
  try {
    localStorage.setItem(STORED, JSON.stringify([...next].slice(-500)));
  } catch {
    // Storage is forbidden: it lasts until the page is closed.
  }
}

/** A dossier that has changed since counts as not looked at. */
const keyOf = ({ id, lastAt }: DossierView): string => `${id}/${lastAt}`;

export function Morning() {
  const { value: morning, trouble } = useView(address('/morning'));
  const branches = morning?.branches ?? [];
  const open = useMemo(() => (index: number) => goThrough(branches[index]), [branches]);
  const chosen = useChosen(branches.length, open);
  const at = branches[chosen ?? 0];
  useKeys(
    useMemo(
      () =>
        at === undefined
          ? []
          : [
              { key: 'x', does: 'Looked at, or not', run: () => toggle(keyOf(at)) },
              { key: 'y', does: 'Copy the command', run: () => void copy(at.next[0] ?? '') },
            ],
      [at],
    ),
  );
  if (!morning)
    return trouble ? <TroubleView trouble={trouble} path="/morning" /> : <Loading what="Reading recent runs" />;
  if (branches.length === 0) {
    return (
      <Empty title="No branch since yesterday">
        <p>Runs since {moment(morning.since)} are listed here when they are over.</p>
        <Command text="ralph review --since 7d" />
      </Empty>
    );
  }
  const refused = sum(branches, branch => branch.refused.length);
  return (
    <>
      <section class="lede">
        <h1>{morning.sentence}</h1>
        <p>{plural(refused, 'attempt')} refused. The branches that need you come first.</p>
      </section>
      {branches.map((branch, index) => (
        <Dossier key={branch.id} branch={branch} rank={index + 1} isChosen={index === chosen} />
      ))}
      <Hints
        keys={[
          ['j k', 'branch'],
          ['Enter', 'go through it'],
          ['x', 'looked at'],
          ['y', 'copy the command'],
        ]}
      />
    </>
  );
}

function goThrough(branch: DossierView | undefined): void {
  if (!branch) return;
  const first = branch.look.find(({ n }) => n !== null)?.n ?? null;
  go(first === null ? { view: 'plan', run: branch.id } : { view: 'iteration', run: branch.id, iteration: first });
}

interface DossierProps {
  readonly branch: DossierView;
  readonly rank: number;
  readonly isChosen: boolean;
}

function Dossier({ branch, rank, isChosen }: DossierProps) {
  const { counts, next, look } = branch;
  const isLooked = lookedAt.value.has(keyOf(branch));
  const [first, ...others] = next;
  return (
    <article class={`card dossier ${isChosen ? 'chosen' : ''} ${isLooked ? 'looked' : ''}`} aria-label={branch.branch}>
      <div class="left">
        <div class="rankline">
          <span class="rank" role="img" aria-label={`number ${rank}`}>
            {rank}
          </span>
          <span class="id branchname">
            <Icon name="branch" size={14} />
            {branch.branch}
          </span>
          <label class="check last">
            <input type="checkbox" checked={isLooked} onChange={() => toggle(keyOf(branch))} /> looked at
          </label>
        </div>
        <h2>{branch.headline}</h2>
        {branch.tape === '' ? null : <MiniTape tape={branch.tape} scale={branch.tapeScale} />}
        <div class="facts small">
          <span>{duration(branch.activeMs)}</span>
          {branch.costUsd > 0 ? <span>{usd(branch.costUsd)}</span> : null}
          <Said seal="ok" size={12}>
            {counts.done} of {counts.total} proven
          </Said>
          {branch.refused.length > 0 ? (
            <Said seal="no" size={12}>
              {branch.refused.length} refused
            </Said>
          ) : null}
          {counts.blocked > 0 ? (
            <Said seal="halt" size={12}>
              {counts.blocked} blocked
            </Said>
          ) : null}
          {counts.pending > 0 ? (
            <Said seal="todo" size={12}>
              {counts.pending} open
            </Said>
          ) : null}
          {branch.diff === null ? null : (
            <span>
              {plural(branch.diff.files, 'file')} <span class="pm">+{branch.diff.added}</span>{' '}
              <span class="mm">−{branch.diff.deleted}</span>
            </span>
          )}
        </div>
        <div class="nextline">
          {first === undefined ? null : <Command text={first} />}
          <button class={`btn ${rank === 1 ? 'go' : ''}`} type="button" onClick={() => goThrough(branch)}>
            Go through it <span class="vh">: {branch.branch}</span>
            {rank === 1 ? <kbd aria-hidden="true" data-key="Enter" /> : null}
          </button>
        </div>
        {others.map(command => (
          <Command key={command} text={command} />
        ))}
      </div>
      <div>
        <h3>
          {look.length > 0
            ? 'Look here first'
            : branch.finished?.reason === 'complete'
              ? 'Why it is ready'
              : 'How it stands'}
        </h3>
        {look.length === 0 ? <Ready branch={branch} /> : <Looks branch={branch} look={look} />}
      </div>
    </article>
  );
}

function Ready({ branch: { final, counts, place, id } }: { readonly branch: DossierView }) {
  const green = final.filter(({ status }) => status === 'green');
  return (
    <ol class="look">
      <li>
        <Seal name="ok" size={14} />
        <span>
          {counts.done} of {counts.total} items have a commit of their own, each on evidence
        </span>
      </li>
      {green.map(gate => (
        <li key={gate.name}>
          <Seal name="ok" size={14} />
          <span>final gate {gate.name} is green</span>
        </li>
      ))}
      {place === 'live' ? (
        <li>
          <Seal name="live" size={14} />
          <span>It is still at work: nothing to merge yet</span>
          <a class="btn sm" href={hrefOf({ view: 'now', run: id })}>
            Watch
          </a>
        </li>
      ) : (
        <li>
          <Seal name="ok" size={14} />
          <span>Nothing stands out</span>
        </li>
      )}
    </ol>
  );
}

const MOST = 6;

function Looks({ branch, look }: { readonly branch: DossierView; readonly look: readonly LookView[] }) {
  return (
    <ol class="look">
      {look.slice(0, MOST).map((each, index) => (
        <li key={index}>
          <Seal name={sealOf(each.text)} size={14} />
          <span>
            <Words text={each.text} />
          </span>
          {each.n === null && each.item === null ? null : (
            <a
              class="btn sm"
              aria-label={`Open: ${each.text.slice(0, 80)}`}
              href={hrefOf(
                each.n === null
                  ? { view: 'plan', run: branch.id, ...(each.item === null ? {} : { item: each.item }) }
                  : { view: 'iteration', run: branch.id, iteration: each.n },
              )}
            >
              Open
            </a>
          )}
        </li>
      ))}
      {look.length > MOST ? (
        <li>
          <span />
          <a class="link" href={hrefOf({ view: 'timeline', run: branch.id })}>
            and {look.length - MOST} more
          </a>
        </li>
      ) : null}
    </ol>
  );
}

/** Chooses a seal by the first words of the report's text. */
function sealOf(text: string): SealName {
  if (/^Blocked/i.test(text)) return 'halt';
  if (/^Review/i.test(text)) return 'fix';
  if (/^(Guard warning|Accepted without|Marked|Adopted|Process)/i.test(text)) return 'warn';
  if (/^(Guard|Gate was red|Final gate|Baseline)/i.test(text)) return 'no';
  return 'warn';
}
