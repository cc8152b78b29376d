/** `ralph.yaml`: found, read, checked, and settled with the flags. */
export { unfitOverride } from './check-overrides.ts';
export { detectGates, detectLanguage } from './detect.ts';
export { CONFIG_NAMES, configName, findConfig } from './find.ts';
export { gateEnv } from './gate-env.ts';
export { loadConfigReader } from './load-reader.ts';
export { rulesOf, settings, withGoal } from './make-settings.ts';
export { missingVariables, type NotifyTarget, secretsNamed, withoutSecrets } from './notify.ts';
export type { TargetKind } from './notify-kinds.ts';
export { readConfig } from './read.ts';
export { COMMIT_FIELDS, type Config, configSchema } from './schema.ts';
export { type Limits, type Overrides, type Settings, UNTIL } from './settings.ts';
