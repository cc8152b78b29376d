/** An order that waits for the code which the run's own terminal shows; see `orders.ts`. */
export interface Held {
  readonly code: string;
  wrong: number;
}
