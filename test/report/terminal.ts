/** A terminal small enough to trust: text, newline, carriage return, cursor up, erase, colours, and rewrap on resize. */
import { displayWidth } from '../../src/report/width.ts';

const SEQUENCE = '\\u001b\\[[0-9;?]*[A-Za-z]';
const TOKEN = new RegExp(`${SEQUENCE}|[\\s\\S]`, 'gu');

export class Terminal {
  columns: number;
  rows: number;
  writes = 0;
  #lines: string[][] = [[]];
  /** Whether a row goes on in the next one. */
  #wrapped: boolean[] = [false];
  #row = 0;
  #column = 0;

  constructor({ columns, rows = 24 }: { readonly columns: number; readonly rows?: number }) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    this.writes += 1;
    for (const token of text.match(TOKEN) ?? []) this.#take(token);
  }

  /** What is in the scroll-back and on the screen, without the colours and the empty end. */
  screen(): string {
    return this.#lines
      .map(cells => cells.join('').trimEnd())
      .join('\n')
      .trimEnd();
  }

  cursor(): readonly [row: number, column: number] {
    return [this.#row, this.#column];
  }

  /** Rewraps what is there, as most terminals do; the cursor stays behind the last line. */
  resize(columns: number): void {
    const whole: string[][] = [];
    this.#lines.forEach((cells, index) => {
      if (index > 0 && this.#wrapped[index - 1]) whole.at(-1)?.push(...cells);
      else whole.push([...cells]);
    });
    this.columns = columns;
    this.#lines = [[]];
    this.#wrapped = [false];
    this.#row = 0;
    this.#column = 0;
    whole.forEach((cells, index) => {
      if (index > 0) this.#take('\n');
      for (const cell of cells) this.#put(cell);
    });
  }

  #take(token: string): void {
    if (token === '\n') {
      this.#row += 1;
      this.#column = 0;
      this.#lines[this.#row] ??= [];
      this.#wrapped[this.#row] ??= false;
    } else if (token === '\r') this.#column = 0;
    else if (token.startsWith('\u001b[')) this.#control(token);
    else this.#put(token);
  }

  #control(token: string): void {
    const count = Number(token.slice(2, -1) || 0);
    switch (token.at(-1)) {
      case 'A': {
        const top = Math.max(0, this.#lines.length - this.rows);
        this.#row = Math.max(top, this.#row - Math.max(1, count));
        return;
      }
      case 'K':
        this.#cells(this.#row).splice(this.#column);
        return;
      case 'J':
        this.#cells(this.#row).splice(this.#column);
        // Only erasing a whole row makes a terminal forget that it goes on in the next one.
        if (this.#column === 0) this.#wrapped[this.#row] = false;
        this.#lines.splice(this.#row + 1);
        this.#wrapped.splice(this.#row + 1);
        return;
      case 'm':
        return;
      default:
        throw new Error(`The terminal does not know ${JSON.stringify(token)}`);
    }
  }

  #put(char: string): void {
    const width = displayWidth(char);
    if (this.#column + width > this.columns) {
      this.#wrapped[this.#row] = true;
      this.#take('\n');
    }
    this.#cells(this.#row)[this.#column] = char;
    // A wide character takes its second cell too.
    if (width === 2) this.#cells(this.#row)[this.#column + 1] = '';
    this.#column += width;
  }

  #cells(row: number): string[] {
    const cells = (this.#lines[row] ??= []);
    for (let column = cells.length; column < this.#column; column++) cells[column] = ' ';
    return cells;
  }
}
