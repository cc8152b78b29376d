/** What is said about a config, or `ok`. */
import { parseConfig } from '../../src/config/read.ts';
import { describeFailure } from '../../src/util/result.ts';

export const complaint = (text: string): string => {
  const parsed = parseConfig(text, 'ralph.yaml');
  return parsed.ok ? 'ok' : describeFailure(parsed.error);
};
