/** Small parts that many views share. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import { moment } from './format.ts';
import { Icon } from './icon.tsx';

interface CardProps {
  readonly title: ComponentChildren;
  readonly id?: string;
  readonly class?: string;
  readonly end?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Card({ title, id, class: extra, end, children }: CardProps) {
  return (
    <article class={`card ${extra ?? ''}`} {...(id === undefined ? {} : { id })}>
      <header>
        {typeof title === 'string' ? <h2>{title}</h2> : title}
        {end === undefined ? null : <div class="end">{end}</div>}
      </header>
      {children}
    </article>
  );
}

/** A command to run in a terminal. */
export function Command({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div class="cmd">
      <code title={text}>{text}</code>
      <button
        class="btn sm bare"
        type="button"
        aria-label={`${copied ? 'copied' : 'Copy'}: ${text}`}
        onClick={() => {
          void copy(text).then(setCopied);
        }}
      >
        {copied ? 'copied' : <Icon name="copy" size={14} />}
      </button>
    </div>
  );
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce('Copied');
    return true;
  } catch {
    announce('The browser does not let this page copy; mark the text instead');
    return false;
  }
}

/** Text with `code` in backquotes, as the guards and the runner write it. */
export function Words({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`\n]+)`/);
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

export function At({ at, children }: { readonly at: number; readonly children: ComponentChildren }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
      {children}
    </time>
  );
}

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly choose: (value: T) => void;
}

/** A choice between a few options. */
export function Segments<T extends string>({ label, value, options, choose }: SegmentsProps<T>) {
  return (
    <div class="seg" role="group" aria-label={label}>
      {options.map(([key, word]) => (
        <button type="button" key={key} aria-pressed={key === value} onClick={() => choose(key)}>
          {word}
        </button>
      ))}
    </div>
  );
}

export function Hints({ keys }: { readonly keys: readonly (readonly [string, string])[] }) {
  return (
    <p class="hint">
      {keys.map(([names, does]) => (
        <span key={names}>
          {names.split(' ').map(name => (
            <kbd key={name}>{name}</kbd>
          ))}
          {does}
        </span>
      ))}
    </p>
  );
}

/** For a view without data: says what will be there and when. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <section class="lede empty">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

interface BarProps {
  readonly name: string;
  readonly value: string;
  readonly of: string;
  readonly percent: number;
  /** A tick mark: the projected value at this rate. */
  readonly tick?: number | undefined;
  readonly note?: string | undefined;
}

export function Meter({ name, value, of, percent, tick, note }: BarProps) {
  const shown = Math.min(100, Math.max(0, percent));
  return (
    <div class={`meter ${percent >= 80 ? 'warn' : ''}`}>
      <span>{name}</span>
      <span>
        <b>{value}</b> <span class="quiet">of {of}</span>
      </span>
      <div class="bar" role="img" aria-label={`${name}: ${Math.round(percent)} percent of the limit`}>
        <i style={{ '--p': String(shown) }} />
        {tick === undefined ? null : <u style={{ '--q': String(Math.min(100, tick)) }} />}
      </div>
      {note === undefined ? null : <small>{note}</small>}
    </div>
  );
}
