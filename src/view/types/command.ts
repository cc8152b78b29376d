/** What the page can ask for: the same as the terminal, through the same files, and nothing else. */

/** `confirm` is the code that the run's own terminal shows, where the run asks for it (`not-confirmed`). */
export type CommandBody =
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'stop'; readonly now: boolean }
  | { readonly type: 'steer'; readonly text: string; readonly confirm?: string }
  | { readonly type: 'retry'; readonly item: string; readonly hint: string; readonly confirm?: string }
  | {
      readonly type: 'done' | 'reset' | 'skip' | 'block' | 'unblock';
      readonly item: string;
      readonly why?: string;
      readonly confirm?: string;
    };

export interface CommandAnswer {
  /** What happens now, in one sentence. */
  readonly message: string;
  /** The same from a terminal. */
  readonly command: string;
}
