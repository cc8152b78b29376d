/** Programming words that mean the same: the item says `mail`, the lesson that helps says `email`. */
import { once } from '../util/once.ts';
import { stem } from './words.ts';

const GROUPS = `
accessibility a11y aria
account user profile
amount money price currency cents decimal
api endpoint rest
archive archived readonly
array list
async asynchronous promise await
auth authentication login signin logout session password sso
background queue job worker
browser e2e playwright cypress
cache caching redis invalidate ttl
calendar event recurring
card payment charge stripe refund checkout
chart graph diagram plot dashboard
cli command flag argument
color colour theme dark appearance
config configuration setting option
container docker dockerfile image
cron schedule nightly daily
csv spreadsheet excel
database db sql postgres postgresql mysql sqlite
date time timezone utc tz dst
delete remove purge erase
dependency package lockfile
deploy release rollout
drag drop dnd sortable reorder
email mail smtp
env environment variable
error exception failure
export download
folder directory path
form input validation
function method
image picture photo avatar
invoice billing receipt
key token secret credential
keyboard shortcut hotkey
language i18n locale translation translate
live realtime websocket socket
lock race deadlock concurrency transaction
log logging logger
metric monitoring prometheus
migration schema column table
mobile phone android ios iphone
model llm ai openai
notification notify push alert
page pagination cursor scroll
permission role access authorization rbac policy admin owner
rate limit throttle quota
search fulltext find
sign signature hmac verify
sort order
timeout deadline
upload attachment attach
url link query
webhook callback hook
`;

const groups = once(() => {
  const found = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    const words = line.split(' ').map(stem);
    for (const word of words) found.set(word, new Set([...(found.get(word) ?? []), ...words]));
  }
  return found;
});

/** Terms that may stand for this one; not itself. */
export const synonymsOf = (term: string): readonly string[] =>
  [...(groups().get(term) ?? [])].filter(other => other !== term);
