/** For a command that is over in a moment, however much it looks at. */

/**
 * Bytes of code a function runs through before it is compiled a second time, for speed. That is done on other threads,
 * and in half a second of work it takes more of them than it gives back; a long one still gets there.
 */
const BEFORE_OPTIMIZING = 1_000_000;

export function compileLater(): void {
  // Not imported: a mark is over before a loader of modules would have paid for itself.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString(`--interrupt-budget=${BEFORE_OPTIMIZING}`);
  // Patterns are compiled once, not first for an interpreter and at their second use again.
  setFlagsFromString('--no-regexp-tier-up');
}
