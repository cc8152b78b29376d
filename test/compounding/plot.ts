/** The figures of the five plans as a table and as a picture for the docs; made by hand, readable on light and dark. */
import { perItem, type RunFigures } from './five-plans.ts';

export interface Courses {
  readonly remembered: readonly RunFigures[];
  readonly forgotten: readonly RunFigures[];
}

const [WIDTH, HEIGHT] = [640, 300];
const AREA = { left: 56, right: 500, top: 56, bottom: 244 };
const [LEAST, MOST] = [0.75, 2.25];

const STYLE = `
    text { font: 13px system-ui, sans-serif; fill: #24292f }
    .title { font-size: 15px; font-weight: 600 }
    .quiet { fill: #57606a }
    .panel { fill: #ffffff; stroke: #d0d7de }
    .grid { stroke: #d8dee4 }
    .on { stroke: #0969da; fill: #0969da }
    .off { stroke: #bc4c00; fill: #bc4c00 }
    text.on, text.off { stroke: none; font-weight: 600 }
    polyline { fill: none !important; stroke-width: 2.5 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .quiet { fill: #9198a1 }
      .panel { fill: #0d1117; stroke: #3d444d }
      .grid { stroke: #2a313c }
      .on { stroke: #4493f8; fill: #4493f8 }
      .off { stroke: #f0883e; fill: #f0883e }
    }
`;

export function compoundingTable({ remembered, forgotten }: Courses): string {
  const row = (name: string, runs: readonly RunFigures[]) =>
    `| ${[name, ...runs.map(run => `${perItem(run).toFixed(2)} (${run.iterations})`), change(runs)].join(' | ')} |`;
  const plans = remembered.map((_, n) => `plan ${n + 1}`);
  return [
    `| iterations per item (all) | ${plans.join(' | ')} | first to last |`,
    `|---|${plans.map(() => '---:|').join('')}---:|`,
    row('with archives', remembered),
    row('`archive: off`', forgotten),
  ].join('\n');
}

export function compoundingSvg({ remembered, forgotten }: Courses): string {
  const x = (n: number) => AREA.left + 24 + (n * (AREA.right - AREA.left - 48)) / (remembered.length - 1);
  const y = (value: number) => AREA.bottom - ((value - LEAST) * (AREA.bottom - AREA.top)) / (MOST - LEAST);
  const grid = [1, 1.5, 2].flatMap(value => [
    `<line class="grid" x1="${AREA.left}" x2="${AREA.right}" y1="${y(value)}" y2="${y(value)}"/>`,
    `<text class="quiet" x="${AREA.left - 8}" y="${y(value) + 4}" text-anchor="end">${value.toFixed(1)}</text>`,
  ]);
  const plans = remembered.map(
    (_, n) => `<text class="quiet" x="${x(n)}" y="${AREA.bottom + 22}" text-anchor="middle">plan ${n + 1}</text>`,
  );
  const course = (runs: readonly RunFigures[], look: 'on' | 'off', name: string) => {
    const at = runs.map((run, n) => ({ x: round(x(n)), y: round(y(perItem(run))), value: perItem(run).toFixed(2) }));
    const last = at.at(-1) ?? { x: 0, y: 0 };
    return [
      `<polyline class="${look}" points="${at.map(point => `${point.x},${point.y}`).join(' ')}"/>`,
      ...at.flatMap(point => [
        `<circle class="${look}" cx="${point.x}" cy="${point.y}" r="4"/>`,
        `<text x="${point.x}" y="${point.y - 10}" text-anchor="middle">${point.value}</text>`,
      ]),
      `<text class="${look}" x="${last.x + 34}" y="${last.y + 4}">${name}</text>`,
    ];
  };
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label({ remembered, forgotten })}">`,
    `  <style>${STYLE}  </style>`,
    `  <rect class="panel" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8"/>`,
    `  <text class="title" x="20" y="30">Iterations per item, five plans in a row over one repository</text>`,
    ...[
      ...grid,
      ...plans,
      ...course(forgotten, 'off', 'archive: off'),
      ...course(remembered, 'on', 'with archives'),
    ].map(line => `  ${line}`),
    `  <text class="quiet" x="20" y="${HEIGHT - 12}">Scripted agent that knows only its brief; 1.0 is every first attempt accepted.</text>`,
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const label = ({ remembered, forgotten }: Courses): string => {
  const words = (runs: readonly RunFigures[]) => runs.map(run => perItem(run).toFixed(2)).join(', ');
  return `Iterations per item: with archives ${words(remembered)}; with archive off ${words(forgotten)}`;
};

function change(runs: readonly RunFigures[]): string {
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last) return '';
  const percent = Math.round(100 * (perItem(last) / perItem(first) - 1));
  return percent < 0 ? `−${-percent} %` : `${percent} %`;
}
