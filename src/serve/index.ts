/** The page's server: authentication, routes, the stream, and commands. The loop does not depend on it. */
export { isLoopback } from './guard.ts';
export { pageFiles } from './page-files.ts';
export { type Serving, serve } from './server.ts';
