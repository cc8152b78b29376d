/** Templates are imported as text; the bundler and the tests load them the same way. */
declare module '*.md' {
  const text: string;
  export default text;
}
