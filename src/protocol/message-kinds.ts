/** What a message to a person can be about; `on` of a target of `notify` names these. */
export const messageKinds = ['done', 'blocked', 'needs-person', 'stuck', 'wait', 'cost', 'stopped', 'failed'] as const;

export type MessageKind = (typeof messageKinds)[number];
