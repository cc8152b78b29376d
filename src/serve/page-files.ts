/** The built page: files that ship with the program, listed at startup, so that no request is turned into a path. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface PageFile {
  readonly type: string;
  /** Compressed. */
  readonly bytes: Buffer;
}

export interface PageFiles {
  /** By the path of the URL, without the leading slash. */
  get(path: string): PageFile | undefined;
  readonly index: PageFile | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** Reads `page/` beside the program, or beside the folder of this chunk. */
export function pageFiles(folders: readonly string[]): PageFiles {
  const files = new Map<string, PageFile>();
  for (const folder of folders) {
    for (const name of namesBelow(folder)) {
      const path = name.replace(/\.gz$/, '');
      const type = TYPES[extname(path)];
      if (type !== undefined && name.endsWith('.gz') && !files.has(path)) {
        files.set(path, { type, bytes: readFileSync(join(folder, name)) });
      }
    }
  }
  return { get: path => files.get(path), index: files.get('index.html') };
}

function namesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => name.replaceAll('\\', '/'));
  } catch {
    return [];
  }
}

/** For the few clients that do not accept gzip. */
export const plainBytes = ({ bytes }: PageFile): Buffer => gunzipSync(bytes);
