/** Merge-conflict markers: a plan that contains them is two plans in one file, and neither may be run. */

/** `<<<<<<< ours`, `||||||| base` or `>>>>>>> theirs` at the start of a line; `=======` alone may be a heading. */
export const isConflictMarker = (line: string): boolean => /^(?:<{7}|>{7}|\|{7})(?: |\r?$)/.test(line);

const MARKERS = ['<<<<<<<', '>>>>>>>', '|||||||'];

/** The offset of the first marker in a text. */
export function findConflict(text: string): number | undefined {
  // Cheap test first: nearly no text contains these characters.
  if (!MARKERS.some(marker => text.includes(marker))) return undefined;
  const found = /^(?:<{7}|>{7}|\|{7})(?: |\r?$)/m.exec(text);
  return found?.index;
}

export const conflictMessage = 'the file has merge-conflict markers; resolve the conflict first';
