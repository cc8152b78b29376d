/** An order that waits for the code shown in the run's own terminal; see `orders.ts`. */
export interface Held {
  readonly code: string;
  wrong: number;
}
