/** The brief of an iteration: by slot, and the text itself on demand. */
import type { IterationView } from '../../src/view/index.ts';
import { Card } from '../parts/bits.tsx';
import { plural, tokens } from '../parts/format.ts';

export function BriefCard({ iteration: { brief, lessons } }: { readonly iteration: IterationView }) {
  const slots = brief.slots ?? [];
  const most = Math.max(1, ...slots.map(slot => slot.tokens));
  return (
    <Card title="Brief" id="brief" end={brief.state === 'none' ? 'not kept' : `about ${tokens(brief.tokens)} tokens`}>
      <div class="in briefed">
        {slots.length === 0 ? null : (
          <div class="slots">
            {slots.map(slot => (
              <>
                <span key={slot.name} title={slot.note ?? ''}>
                  {slot.name}
                </span>
                <i class={slot.name === 'lessons' ? 'hot' : ''} style={{ '--p': String((slot.tokens / most) * 100) }} />
                <span class="num quiet" title={slot.dropped > 0 ? `${slot.dropped} did not fit` : ''}>
                  {slot.tokens}
                  {slot.dropped > 0 ? ` −${slot.dropped}` : ''}
                </span>
              </>
            ))}
          </div>
        )}
        {lessons.shown.length === 0 ? null : (
          <p class="quiet">
            {plural(lessons.shown.length, 'lesson')} shown: {lessons.shown.join(', ')}
            {lessons.used.length === 0 ? '' : `; the agent says it used ${lessons.used.join(', ')}`}
          </p>
        )}
        {lessons.said.map((lesson, index) => (
          <p key={index} class="soft">
            New lesson ({lesson.kind}): <i>{lesson.text}</i>
          </p>
        ))}
        {brief.text === '' ? null : (
          <details>
            <summary>The whole brief{brief.state === 'cut' ? ', cut' : ''}</summary>
            <pre class="out wrapped" tabIndex={0} role="region" aria-label="The brief">
              {brief.text}
            </pre>
          </details>
        )}
      </div>
    </Card>
  );
}
