/** The page's server: who may look, every address, the stream, and commands. The loop does not know of it. */
export { isLoopback } from './guard.ts';
export { pageFiles } from './page-files.ts';
export { type Serving, serve } from './server.ts';
