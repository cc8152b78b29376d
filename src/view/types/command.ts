/** The commands of the page: the same as in the terminal, through the same files, and nothing else. */

/** `confirm` is the code shown in the run's own terminal, if the run asks for it (`not-confirmed`). */
export type CommandBody =
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'stop'; readonly now: boolean }
  | { readonly type: 'steer'; readonly text: string; readonly confirm?: string }
  | { readonly type: 'answer'; readonly item: string; readonly text: string; readonly confirm?: string }
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
  /** The equivalent terminal command. */
  readonly command: string;
}
