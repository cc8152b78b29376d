/** Opens a file or an address with the desktop's default program. */
import { childProcess } from './child-process.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Returns whether the program could be started; what it does then is not checked. */
export function openBrowser(target: string): Promise<boolean> {
  const [program = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise(resolve => {
    try {
      const child = childProcess().spawn(program, [...args, target], { detached: true, stdio: 'ignore' });
      child.once('error', () => resolve(false));
      child.once('spawn', () => resolve(true));
      child.unref();
    } catch {
      resolve(false);
    }
  });
}
