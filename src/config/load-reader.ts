/** The reader of ralph.yaml, loaded when it is first needed: it brings the schemas along, and many commands meet no config. */
export const loadConfigReader = (): Promise<typeof import('./read.ts')> => import('./read.ts');
