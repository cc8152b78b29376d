/** What a person can do. Every control shows its effect and its command; in a read-only page only the command. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { CommandBody, ControlView, NeedView, RunView } from '../../src/view/index.ts';
import { address } from '../data/address.ts';
import { control, send } from '../data/commands.ts';
import { isReport, useView } from '../data/store.ts';
import { showsStop } from '../frame/palette.tsx';
import { useKeys } from '../keys.ts';
import { Card, Command, Words } from '../parts/bits.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Said, type SealName } from '../parts/seal.tsx';
import { hrefOf } from '../route.ts';

const useReadonly = (): boolean => useView(address('/meta')).value?.readonly ?? true;

const ICONS: Partial<Record<CommandBody['type'], IconName>> = { pause: 'pause', resume: 'go', stop: 'stop' };
const KEYS: Partial<Record<CommandBody['type'], string>> = { pause: 'Shift P', resume: 'Shift P', stop: 'Shift S' };

export function Controls({ run }: { readonly run: RunView }) {
  const readonly = useReadonly();
  const shown = (['pause', 'resume', 'stop'] as const)
    .flatMap(type => control(run, type) ?? [])
    .filter(each => each.enabled);
  if (isReport() || shown.length === 0) return null;
  if (readonly) {
    return (
      <div class="readonly">
        <span class="quiet">
          <Icon name="lock" size={14} /> Read-only. In a terminal:
        </span>
        {shown.map(({ type, command }) => (
          <Command key={type} text={command} />
        ))}
      </div>
    );
  }
  return (
    <div class="controls">
      {shown.map(each => (
        <Control key={each.type} control={each} run={run} />
      ))}
    </div>
  );
}

function Control({
  control: { type, label, effect, command },
  run,
}: {
  readonly control: ControlView;
  readonly run: RunView;
}) {
  // The key pauses while both are possible.
  const hasKey = type !== 'resume' || !control(run, 'pause')?.enabled;
  const act = () => {
    if (type === 'stop') showsStop.value = true;
    else if (type === 'pause' || type === 'resume') void send(run.id, { type });
  };
  return (
    <button class={`btn ${type === 'resume' ? 'go' : ''}`} type="button" title={`${effect} (${command})`} onClick={act}>
      <Icon name={ICONS[type] ?? 'more'} />
      {type === 'stop' ? 'Stop…' : label} {hasKey ? <kbd aria-hidden="true" data-key={KEYS[type]} /> : null}
    </button>
  );
}

export function Steer({ run }: { readonly run: RunView }) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const readonly = useReadonly();
  const steer = control(run, 'steer');
  useKeys(
    useMemo(() => [{ key: 's', does: 'Steer: a note for all coming briefs', run: () => field.current?.focus() }], []),
  );
  if (!steer?.enabled || isReport()) return null;
  if (readonly) {
    return (
      <div class="steer">
        <Command text={steer.command} />
      </div>
    );
  }
  return (
    <form
      class="steer"
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() === '') return;
        void send(run.id, { type: 'steer', text }).then(sent => sent && setText(''));
      }}
    >
      <input
        ref={field}
        aria-label="A note for all coming briefs"
        placeholder="A note for all coming briefs, for example: seats are numbered from 1"
        value={text}
        onInput={event => setText(event.currentTarget.value)}
      />
      <button class="btn go" type="submit" title={`${steer.effect} (${steer.command})`}>
        Steer <kbd aria-hidden="true" data-key="s" />
      </button>
    </form>
  );
}

const SEALS: Readonly<Record<NeedView['kind'], SealName>> = {
  blocked: 'halt',
  question: 'halt',
  review: 'fix',
  'agent-unavailable': 'wait',
  stuck: 'no',
  limit: 'wait',
  'cut-off': 'warn',
  failed: 'no',
  damaged: 'fix',
};

export function Needs({ run }: { readonly run: RunView }) {
  if (run.needs.length === 0) {
    return run.isLive ? (
      <Card title="Needs you" class="needs">
        <p class="in quiet">Nothing: no item is blocked.</p>
      </Card>
    ) : null;
  }
  return (
    <Card title="Needs you" class="needs" end={run.needs.length}>
      <div class="in">
        {run.needs.map((need, index) => (
          <Need key={index} need={need} run={run} />
        ))}
      </div>
    </Card>
  );
}

function Need({ need, run }: { readonly need: NeedView; readonly run: RunView }) {
  const { item } = need;
  return (
    <div class="need">
      <Said seal={SEALS[need.kind]} size={14}>
        {need.n === null ? (
          <span class="wrap">{item === null ? WORDS[need.kind] : `${item.id} ${item.title}`}</span>
        ) : (
          <a class="wrap" href={hrefOf({ view: 'iteration', run: run.id, iteration: need.n })}>
            {item === null ? WORDS[need.kind] : `${item.id} ${item.title}`}
          </a>
        )}
      </Said>
      <span class="soft">
        <Words text={need.text} />
      </span>
      {item === null ? (
        <Command text={need.command} />
      ) : (
        <ItemActs run={run} item={item.id} command={need.command} asked={need.kind === 'question'} />
      )}
    </div>
  );
}

const WORDS: Readonly<Record<NeedView['kind'], string>> = {
  blocked: 'Blocked',
  question: 'Question',
  review: 'Review not passed',
  'agent-unavailable': 'Agent unavailable',
  stuck: 'Stuck',
  limit: 'Limit reached',
  'cut-off': 'Interrupted',
  failed: 'Failed',
  damaged: 'Damaged journal',
};

interface ItemActsProps {
  readonly run: RunView;
  readonly item: string;
  readonly command?: string;
  /** Only actions for an item that is not blocked. */
  readonly open?: boolean;
  /** Its agent asked something. */
  readonly asked?: boolean;
}

/** What is done with words: the name of the button, of the field, and what is sent. */
const SAID = {
  answer: {
    does: 'Answer',
    label: item => `Your answer to ${item}`,
    placeholder: 'Your answer',
    body: (item, text) => ({ type: 'answer', item, text }),
  },
  retry: {
    does: 'Retry',
    label: item => `What the next attempt at ${item} has to know`,
    placeholder: 'What the next attempt has to know',
    body: (item, hint) => ({ type: 'retry', item, hint }),
  },
  block: {
    does: 'Block',
    label: item => `Why ${item} is blocked`,
    placeholder: 'Why',
    body: (item, why) => ({ type: 'block', item, why }),
  },
} as const satisfies Record<
  string,
  {
    readonly does: string;
    readonly label: (item: string) => string;
    readonly placeholder: string;
    readonly body: (item: string, words: string) => CommandBody;
  }
>;

/** The actions for one item. */
export function ItemActs({ run, item, command, open = false, asked = false }: ItemActsProps) {
  const readonly = useReadonly();
  const [asks, setAsks] = useState<keyof typeof SAID>();
  const [words, setWords] = useState('');
  const can = (type: CommandBody['type']) => control(run, type)?.enabled ?? false;
  if (readonly || isReport()) return command === undefined ? null : <Command text={command} />;
  if (asks !== undefined) {
    const { does, label, placeholder, body } = SAID[asks];
    return (
      <form
        class="asks"
        onSubmit={event => {
          event.preventDefault();
          if (asks === 'answer' && words.trim() === '') return;
          void send(run.id, body(item, words));
          setAsks(undefined);
        }}
      >
        <input
          ref={field => field?.focus()}
          aria-label={label(item)}
          placeholder={placeholder}
          value={words}
          onInput={event => setWords(event.currentTarget.value)}
        />
        <button class="btn sm go" type="submit">
          {does}
        </button>
        <button class="btn sm bare" type="button" onClick={() => setAsks(undefined)}>
          Not now
        </button>
      </form>
    );
  }
  return (
    <div class="acts">
      {asked && can('answer') ? (
        <button class="btn sm go" type="button" title="ralph answer" onClick={() => setAsks('answer')}>
          Answer
        </button>
      ) : null}
      {!asked && can('retry') ? (
        <button class="btn sm" type="button" title="ralph retry" onClick={() => setAsks('retry')}>
          <Icon name="hint" size={14} />
          Retry with a hint
        </button>
      ) : null}
      {!open && !asked && can('unblock') ? (
        <button
          class="btn sm"
          type="button"
          title="ralph unblock"
          onClick={() => void send(run.id, { type: 'unblock', item })}
        >
          Unblock
        </button>
      ) : null}
      {can('skip') ? (
        <button
          class="btn sm"
          type="button"
          title="ralph skip"
          onClick={() => void send(run.id, { type: 'skip', item })}
        >
          <Icon name="skip" size={14} />
          Skip
        </button>
      ) : null}
      {open && can('block') ? (
        <button class="btn sm" type="button" title="ralph block" onClick={() => setAsks('block')}>
          Block
        </button>
      ) : null}
      {!(can('retry') || can('unblock') || can('skip')) && command !== undefined ? <Command text={command} /> : null}
    </div>
  );
}
