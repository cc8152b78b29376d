import type { PlanFormat } from '../protocol.ts';
import { checklist } from './checklist.ts';
import { ecosystems } from './ecosystems/all.ts';
import { groups } from './groups.ts';
import { prd } from './prd.ts';
import { prompt } from './prompt.ts';
import { sprint } from './sprint.ts';
import { tracker } from './tracker/format.ts';

/** Every format, the most specific first: the first one that recognises a path reads it. */
export const formats: readonly PlanFormat[] = [tracker, sprint, groups, ...ecosystems, prd, checklist, prompt];
