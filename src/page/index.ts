/** The built page, as the program uses it. */
export { reportHtml } from './report-html.ts';
