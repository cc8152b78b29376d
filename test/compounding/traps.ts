/** What goes wrong in this repository unless somebody knows: each trap is met under other words in every plan. */
export interface Trap {
  readonly name: string;
  /** Items about it are called like this, with what they are for at the end. */
  readonly titles: readonly string[];
  /** The same in words that its lesson does not have. */
  readonly synonyms: readonly string[];
  /** What the gate prints when an agent has fallen into it. */
  readonly symptom: string;
  /** What an agent that climbed out hands on. */
  readonly lesson: string;
}

export const traps: readonly Trap[] = [
  {
    name: 'migration',
    titles: ['Add a database table for', 'A migration that splits', 'Store in the database the history of'],
    synonyms: ['New Postgres column for', 'Schema change for'],
    symptom: 'relation already exists',
    lesson: 'Database migrations and new tables need IF NOT EXISTS, because a deploy runs each of them twice.',
  },
  {
    name: 'webhook',
    titles: ['Receive webhooks about', 'A webhook for failed', 'Verify the webhook signature of'],
    synonyms: ['Callback endpoint for', 'Hook that reacts to'],
    symptom: 'signature does not match the body',
    lesson: 'A webhook handler needs the raw body: parsing it first breaks the signature.',
  },
  {
    name: 'email',
    titles: ['Send an email about', 'Email reminders for', 'Unsubscribe link in emails about'],
    synonyms: ['Mail a summary of', 'SMTP notice about'],
    symptom: 'template was compiled before the change',
    lesson: 'Email templates are compiled at build time, so run the build before testing an email.',
  },
  {
    name: 'cache',
    titles: ['Cache the list of', 'Clear the cache after changes of', 'Keep in the cache the totals of'],
    synonyms: ['Keep in Redis the', 'Time to live (TTL) of the'],
    symptom: 'tenant 2 saw rows of tenant 1',
    lesson: 'Every cache key has to hold the tenant, or customers see the rows of others.',
  },
  {
    name: 'dates',
    titles: ['Show the due date of', 'Filter by date range the', 'Dates in the export of'],
    synonyms: ['Timezone of', 'Show the time of'],
    symptom: 'expected 2026-03-29, got 2026-03-28',
    lesson: 'Dates are stored in UTC and shown in the time zone of the tenant.',
  },
  {
    name: 'upload',
    titles: ['Upload attachments to', 'Limit the upload size of', 'Upload a logo for'],
    synonyms: ['Attachments for', 'Attach photos to'],
    symptom: '413 from the API',
    lesson: 'Uploads go through the signed URL endpoint, the API itself takes 1 MB at most.',
  },
  {
    name: 'search',
    titles: ['Search the', 'Highlight search results in', 'Search by number in'],
    synonyms: ['Find', 'Fulltext lookup in'],
    symptom: 'no hits, index is empty',
    lesson: 'The search index is filled by a job, a test has to flush it before it searches.',
  },
  {
    name: 'export',
    titles: ['Export as CSV the', 'A nightly export of', 'Stream the export of'],
    synonyms: ['Download of the', 'Download all'],
    symptom: 'heap out of memory',
    lesson: 'An export streams row by row; collecting the rows runs out of memory in the gate.',
  },
  {
    name: 'money',
    titles: ['Sum the amounts of', 'Round the amounts of', 'Amounts with tax for'],
    synonyms: ['Currency of', 'Prices of'],
    symptom: 'expected 0.30, got 0.30000000000000004',
    lesson: 'Amounts are integers in cents everywhere, and are divided only to be shown.',
  },
  {
    name: 'permission',
    titles: ['Only permit owners to change', 'A permission to delete', 'Permissions of guests on'],
    synonyms: ['Roles that may delete', 'Access rules for'],
    symptom: 'anonymous got 200',
    lesson: 'A permission is checked in the policy layer, a check in the route alone is bypassed by the batch API.',
  },
  {
    name: 'translation',
    titles: ['Translate the page of', 'German translation for', 'Missing translations in'],
    synonyms: ['Locale files for', 'The i18n of'],
    symptom: 'key has no entry in de.json',
    lesson: 'A new translation key goes into every language file at once, the loader rejects gaps.',
  },
  {
    name: 'queue',
    titles: ['Queue the sending of', 'Retry queued jobs of', 'A queue worker for'],
    synonyms: ['Background job for', 'Job that sends'],
    symptom: 'job ran twice',
    lesson: 'Queue workers deliver at least once, so a job needs an idempotency key.',
  },
];

const AREAS = ['invoices', 'orders', 'refunds', 'customers', 'coupons', 'subscriptions', 'payments'];

/** How many traps the team has met by the end of each plan: new ones become rare, as they do. */
const MET = [6, 9, 11, 12, 12];
export const PLANS = MET.length;
export const ITEMS = 10;

export interface Story {
  readonly id: string;
  readonly title: string;
  readonly trap: Trap;
}

/** Ten items, one trap in each: first those that are new in this plan, then ones that were met before. */
export function storiesOf(plan: number, words: 'titles' | 'synonyms' = 'titles'): readonly Story[] {
  const met = MET[plan] ?? 0;
  const before = MET[plan - 1] ?? 0;
  return Array.from({ length: ITEMS }, (_, n) => {
    const trap = traps[n < met - before ? before + n : (n * 5 + plan * 3) % met] as Trap;
    const titles = plan === 0 ? trap.titles : trap[words];
    const title = `${titles[(n + plan) % titles.length]} ${AREAS[(n * 3 + plan) % AREAS.length]}`;
    return { id: `P${plan + 1}-${String(n + 1).padStart(2, '0')}`, title, trap };
  });
}

/** What people write around every story. */
export const boilerplate = ({ title }: Pick<Story, 'title'>) => ({
  body: `As a user of the shop I want this (${title}) so that my team can work faster and customers see the right data.`,
  criteria: [
    'Typecheck passes, tests pass, all gates are green',
    'The new page, table or endpoint is covered by a test and shown in the build log',
    'Works for every tenant, in every language, with the API and in the browser',
  ],
});
