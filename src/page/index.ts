/** The page as the program reads it. */
export { reportHtml } from './report-html.ts';
