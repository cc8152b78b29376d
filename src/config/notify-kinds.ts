/** Where a message can go, and how a target names a variable. */

export type TargetKind = 'webhook' | 'slack' | 'discord' | 'ntfy' | 'telegram' | 'email' | 'desktop' | 'command';

/** Every kind of target, and the keys that only it takes. */
export const targetKinds: Readonly<Record<TargetKind, readonly string[]>> = {
  webhook: ['secret'],
  slack: [],
  discord: [],
  ntfy: ['token'],
  telegram: ['token', 'api'],
  email: ['smtp', 'from', 'user', 'password'],
  desktop: [],
  command: ['env'],
};

export const kinds = Object.keys(targetKinds) as readonly TargetKind[];

/** The names in `${NAME}`, in order. */
export const variablesIn = (value: string): readonly string[] =>
  [...value.matchAll(/\$\{([A-Za-z_]\w*)\}/g)].map(([, name = '']) => name);
