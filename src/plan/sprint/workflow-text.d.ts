/** Workflows are imported as text; the bundler and the tests load them the same way. */
declare module '*.yaml' {
  const text: string;
  export default text;
}
