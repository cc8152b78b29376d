/** Whether two titles are of the same item. */
import { oneLine } from './show.ts';

/** A journal keeps titles as one line without control characters, and cuts long ones. */
export const sameTitle = (a: string, b: string): boolean => shorten(a) === shorten(b);

const shorten = (title: string): string => oneLine(title, 120).slice(0, 100);
