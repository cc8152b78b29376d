/** What the demo's repository starts with: a small program, its plan, its gates, and the script its agent follows. */
import e2e from './files/e2e.js.txt';
import manifest from './files/package.json.txt';
import prd from './files/prd.json.txt';
import config from './files/ralph.yaml.txt';
import scenario from './files/scenario.yaml.txt';
import shop from './files/shop.js.txt';
import till from './files/till.js.txt';
import tests from './files/till.test.js.txt';

/** Text by path. */
export const demoFiles: Readonly<Record<string, string>> = {
  'package.json': manifest,
  'till.js': till,
  'till.test.js': tests,
  'shop.js': shop,
  'e2e.js': e2e,
  'prd.json': prd,
  'ralph.yaml': config,
  'scenario.yaml': scenario,
};
