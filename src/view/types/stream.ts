/**
 * The event stream of a run (`text/event-stream`). Each message has an id; a client that reconnects with the last id as
 * `Last-Event-ID` (a browser does) or `?after=` gets everything since, once and in order. `data` is one of these.
 */
import type { Durable } from '../../events.ts';
import type { RunStatus } from './common.ts';
import type { StepView } from './iteration.ts';

export type StreamMessage =
  /** A record of the journal, without its long texts: the views may have changed. */
  | {
      readonly type: 'record';
      readonly seq: number;
      readonly at: number;
      readonly event: Durable['type'];
      readonly n: number | null;
      readonly item: string | null;
      /** One line, as the terminal would print it; empty if there is nothing to print. */
      readonly text: string;
    }
  /** The agent did something. */
  | { readonly type: 'step'; readonly n: number; readonly review: number | null; readonly step: StepView }
  /** It printed something that is not a step. */
  | { readonly type: 'output'; readonly n: number; readonly review: number | null; readonly at: number }
  /** Its usage so far. */
  | {
      readonly type: 'spent';
      readonly n: number;
      readonly review: number | null;
      readonly tokens: number;
      readonly costUsd: number;
    }
  | {
      readonly type: 'gate';
      readonly name: string;
      readonly phase: string;
      readonly state: 'started' | 'finished';
      readonly at: number;
    }
  | { readonly type: 'notice'; readonly level: 'info' | 'warn'; readonly message: string; readonly at: number }
  /** The run became live, paused or over. */
  | { readonly type: 'status'; readonly status: RunStatus; readonly isLive: boolean }
  /** Another run of the repository started, continued or ended: fetch `GET /runs` again. */
  | { readonly type: 'runs' }
  /** The id belongs to another journal or is too far back: fetch the views again; the stream continues from now. */
  | { readonly type: 'reset' };
