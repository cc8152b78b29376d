/** One item: what was asked for, what was tried, what a person can do. */
import { useEffect, useRef } from 'preact/hooks';
import type { ItemDetailView, ItemRef, ItemView, RunView } from '../../src/view/index.ts';
import { now } from '../clock.ts';
import { address } from '../data/address.ts';
import { isReport, useView } from '../data/store.ts';
import { At, Card, Words } from '../parts/bits.tsx';
import { dayOf, plural } from '../parts/format.ts';
import { Said, Seal } from '../parts/seal.tsx';
import { VerdictRows } from '../parts/verdict-rows.tsx';
import { ITEMS } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { ItemActs } from './now-controls.tsx';

export function ItemDetail({ run, item }: { readonly run: RunView; readonly item: ItemView }) {
  const detail = useView(
    isReport() ? undefined : address('/runs/{run}/items/{item}', { run: run.id, item: item.id }),
  ).value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);
  const [seal, word] = ITEMS[item.status];
  return (
    <div ref={box}>
      <Card
        title={
          <h2>
            <span class="id">{item.id}</span> {item.title}
          </h2>
        }
        class="itemcard"
        end={
          <>
            <Said seal={seal}>{word}</Said>
            <a class="btn sm" href={hrefOf({ view: 'plan', run: run.id })}>
              Close
            </a>
          </>
        }
      >
        <div class="in detail">
          {item.why === '' ? null : (
            <p>
              <Words text={item.why} />
            </p>
          )}
          {detail ? <Asked detail={detail} run={run} /> : null}
          {item.retryCommand === null ? null : (
            <ItemActs run={run} item={item.id} open={item.status !== 'blocked'} command={item.retryCommand} />
          )}
        </div>
        {detail && detail.iterations.length > 0 ? (
          <VerdictRows rows={detail.iterations} run={run.id} label={`Attempts at ${item.id}`} withTime />
        ) : null}
        {!detail && item.lastIteration !== null ? (
          <p class="in">
            <a class="link" href={hrefOf({ view: 'iteration', run: run.id, iteration: item.lastIteration })}>
              Its last iteration, {item.lastIteration}
            </a>
          </p>
        ) : null}
      </Card>
    </div>
  );
}

function Asked({ detail, run }: { readonly detail: ItemDetailView; readonly run: RunView }) {
  return (
    <>
      {detail.body === '' ? null : <p class="pre soft">{detail.body}</p>}
      {detail.criteria.length === 0 ? null : (
        <ul class="listed">
          {detail.criteria.map((text, index) => (
            <li key={index}>{text}</li>
          ))}
        </ul>
      )}
      {detail.verify.length === 0 ? null : (
        <p class="soft">
          Own checks:{' '}
          {detail.verify.map(text => (
            <code key={text}>{text} </code>
          ))}
        </p>
      )}
      <Refs label="Depends on" refs={detail.before} run={run} />
      <Refs label="Needed by" refs={detail.after} run={run} />
      {detail.reviews.map(review => (
        <div key={review.review} class="soft">
          <Said seal={review.verdict === 'pass' ? 'ok' : 'fix'} size={12}>
            review, round {review.round}: {review.verdict}
          </Said>{' '}
          {review.findings.map(({ text }) => text).join('; ') || review.why}
        </div>
      ))}
      {detail.marks.length === 0 ? null : (
        <ul class="listed quiet">
          {detail.marks.map((mark, index) => (
            <li key={index}>
              <At at={mark.at}>{dayOf(mark.at, now.value)}</At>: {mark.what} {mark.to} by {mark.actor.who ?? mark.by}
              {mark.actor.from === null ? '' : ` from ${mark.actor.from}`}
              {mark.why === '' ? '' : `: ${mark.why}`}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const MOST = 30;

function Refs({
  label,
  refs,
  run,
}: {
  readonly label: string;
  readonly refs: readonly ItemRef[];
  readonly run: RunView;
}) {
  if (refs.length === 0) return null;
  return (
    <p class="refs">
      <span class="quiet">{label}:</span>
      {refs.slice(0, MOST).map(ref => (
        <a key={ref.id} href={hrefOf({ view: 'plan', run: run.id, item: ref.id })} title={ref.title}>
          <Seal name={ITEMS[ref.status][0]} size={12} label={ITEMS[ref.status][1]} /> <span class="id">{ref.id}</span>
        </a>
      ))}
      {refs.length > MOST ? <span class="quiet">and {plural(refs.length - MOST, 'more', 'more')}</span> : null}
    </p>
  );
}
