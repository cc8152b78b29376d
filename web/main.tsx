/** The page: of `ralph serve`, or of a report, which contains its data. */
import { render } from 'preact';
import { App } from './app.tsx';
import { embedded } from './data/embedded.ts';
import { fileSource } from './data/source.ts';
import { useSource } from './data/store.ts';
import { applyTheme } from './theme.ts';

async function start(root: HTMLElement): Promise<void> {
  const report = await embedded();
  if (report) useSource(fileSource(report));
  render(<App />, root);
}

applyTheme();
const root = document.getElementById('app');
if (root) void start(root);
