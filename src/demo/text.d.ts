/** The demo's files are imported as text; the bundler and the tests load them the same way. */
declare module '*.txt' {
  const text: string;
  export default text;
}
