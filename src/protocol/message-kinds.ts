/** The kinds of messages to a person; `on` of a `notify` target lists them. */
export const messageKinds = ['done', 'blocked', 'needs-person', 'stuck', 'wait', 'cost', 'stopped', 'failed'] as const;

export type MessageKind = (typeof messageKinds)[number];
