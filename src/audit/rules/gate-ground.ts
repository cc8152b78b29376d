/**
 * Scripts and settings that the result of gates depends on.
 *
 *     - exclude: ['dist']
 *     + exclude: ['dist', 'src/cart']   in a file that a gate reads and the item does not name
 */
import { groundEdits } from '../ground.ts';
import type { Rule } from './rule.ts';

export const gateGround: Rule = {
  id: 'gate-ground',
  level: 'warn',
  about:
    'Files that the gates depend on were changed although the item does not mention them; they are restored before the gates run.',
  check: look =>
    groundEdits(look).map(({ path, what }) => ({
      message: `${what} in ${path}, which the gates depend on and the item does not mention; it was restored before they ran`,
      path,
    })),
};
