/** Lessons: what was learned, and does it help? */
import { useMemo, useState } from 'preact/hooks';
import type { LessonView } from '../../src/view/index.ts';
import { address } from '../data/address.ts';
import { useView } from '../data/store.ts';
import { Card, Command, Empty, Segments, Words } from '../parts/bits.tsx';
import { Windowed } from '../parts/windowed.tsx';
import { Loading, TroubleView } from './states.tsx';

type Kind = 'all' | LessonView['kind'];

export function Lessons() {
  const { value, trouble } = useView(address('/lessons'));
  const [kind, setKind] = useState<Kind>('all');
  const [words, setWords] = useState('');
  const shown = useMemo(() => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    return (value?.lessons ?? [])
      .filter(lesson => kind === 'all' || lesson.kind === kind)
      .filter(lesson =>
        wanted.every(word => `${lesson.id} ${lesson.text} ${lesson.from.join(' ')}`.toLowerCase().includes(word)),
      )
      .toSorted((a, b) => Number(a.retired !== null) - Number(b.retired !== null) || b.holds - a.holds);
  }, [value, kind, words]);
  if (!value)
    return trouble ? <TroubleView trouble={trouble} path="/lessons" /> : <Loading what="Reading the lessons" />;
  if (value.lessons.length === 0) {
    return (
      <Empty title="No lesson yet">
        <p>What agents learn is listed here, with how often it helped. To add one yourself:</p>
        <Command text={'ralph lessons add "what every agent here has to know"'} />
      </Empty>
    );
  }
  return (
    <>
      <section class="lede">
        <h1>{value.sentence}</h1>
        <p>
          A lesson stays in use while the attempts that were shown it are accepted. The counts come from journals, not
          from what agents say.
        </p>
      </section>
      <Card
        title={
          <>
            <h2 class="vh">Lessons</h2>
            <input
              class="filter wide"
              type="search"
              aria-label="Search words, files, items"
              placeholder="Search words, files, items"
              value={words}
              onInput={event => setWords(event.currentTarget.value)}
            />
          </>
        }
        end={
          <Segments
            label="Kind"
            value={kind}
            choose={setKind}
            options={[
              ['all', 'All'],
              ['gotcha', 'Gotchas'],
              ['pattern', 'Patterns'],
              ['fact', 'Facts'],
            ]}
          />
        }
      >
        <Windowed items={shown} rowHeight={58} render={lesson => <Row key={lesson.id} lesson={lesson} />}>
          {(rows, above, below) => (
            <table class="t rows lesson">
              <thead>
                <tr>
                  <th scope="col">Kind</th>
                  <th scope="col">Lesson</th>
                  <th scope="col">Won and lost</th>
                  <th scope="col" class="num hide-s">
                    Holds at least
                  </th>
                  <th scope="col" class="num hide-s">
                    Shown
                  </th>
                  <th scope="col" class="num hide-s">
                    Cited
                  </th>
                </tr>
              </thead>
              <tbody>
                {above > 0 ? <tr aria-hidden="true" class="space" style={{ height: `${above}px` }} /> : null}
                {rows}
                {below > 0 ? <tr aria-hidden="true" class="space" style={{ height: `${below}px` }} /> : null}
              </tbody>
            </table>
          )}
        </Windowed>
        {shown.length === 0 ? <p class="in quiet">No matching lessons.</p> : null}
      </Card>
    </>
  );
}

function Row({ lesson }: { readonly lesson: LessonView }) {
  const { won, lost, retired, promoted } = lesson;
  const [first = '', ...others] = lesson.from;
  return (
    <tr class={retired === null ? '' : 'retired'}>
      <td>
        <span class="quiet">{retired === null ? lesson.kind : 'retired'}</span>
      </td>
      <td class="grow">
        <span class="txt">
          <Words text={lesson.text} />
        </span>
        <br />
        <span class="quiet from">
          <span class="id">{lesson.id}</span>
          {lesson.byPerson ? ' · by a person' : ''}
          {first === '' ? '' : ` · ${first}`}
          {others.length > 0 ? ` and ${others.length} more` : ''}
          {retired === null ? '' : ` · ${retired}`}
          {promoted === null ? '' : ` · promoted: ${promoted}`}
        </span>
      </td>
      <td>
        <Tally won={won} lost={lost} />
        <span class="quiet small">
          {won} won, {lost} lost
        </span>
      </td>
      <td class="num hide-s">
        {won + lost > 0 ? `${Math.round(lesson.holds * 100)} %` : <span class="quiet">new</span>}
      </td>
      <td class="num quiet hide-s">{lesson.shown}</td>
      <td class="num quiet hide-s">{lesson.used}</td>
    </tr>
  );
}

const MOST = 23;

function Tally({ won, lost }: { readonly won: number; readonly lost: number }) {
  const step = Math.max(1, Math.ceil((won + lost) / MOST));
  const strokes = (count: number, name: string) =>
    Array.from({ length: Math.round(count / step) }, (_, index) => <i key={`${name}${index}`} class={name} />);
  return (
    <span class="tally" role="img" aria-label={`won ${won}, lost ${lost}`}>
      {strokes(won, '')}
      {strokes(lost, 'l')}
    </span>
  );
}
