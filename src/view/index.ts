/** What people look at, as data: journals, plans and archives made into the views of the page and the report. */
export type { CommandAnswer, CommandBody } from './types/command.ts';
export type * from './types/common.ts';
export type * from './types/costs.ts';
export type * from './types/iteration.ts';
export type * from './types/plan.ts';
export type { ReportBundle } from './types/report.ts';
export type * from './types/repository.ts';
export type { Bodies, Routes } from './types/routes.ts';
export type * from './types/run.ts';
export type { StreamMessage } from './types/stream.ts';
export type * from './types/timeline.ts';
