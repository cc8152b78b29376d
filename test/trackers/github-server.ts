/**
 * As much of GitHub's interface as the real `gh` asks for here. gh speaks plain HTTP to the host github.localhost, and takes a
 * proxy even for that name: so the proxy is this server, and no name has to be resolved.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServerIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  labels: string[];
  state: 'OPEN' | 'CLOSED';
  readonly comments: string[];
}

export interface GithubServer {
  /** For whoever calls gh. */
  readonly env: Readonly<Record<string, string>>;
  readonly issues: readonly ServerIssue[];
  readonly labels: readonly string[];
  close(): Promise<void>;
}

interface Asked {
  readonly query?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export async function githubServer(wanted: readonly Pick<ServerIssue, 'number' | 'title' | 'body' | 'labels'>[]) {
  const issues: ServerIssue[] = wanted.map(issue => ({
    ...issue,
    labels: [...issue.labels],
    state: 'OPEN',
    comments: [],
  }));
  const labels = [...new Set(issues.flatMap(issue => issue.labels))];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Asked & { readonly name?: string };
      const { pathname } = new URL(request.url ?? '', 'http://github.localhost');
      const answer = pathname === '/graphql' ? graphql(body, { issues, labels }) : undefined;
      // Labels are made by the older interface.
      if (pathname.endsWith('/labels') && body.name !== undefined && !labels.includes(body.name))
        labels.push(body.name);
      const made = pathname.endsWith('/labels') ? { name: body.name } : undefined;
      response.writeHead(answer ? 200 : made ? 201 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? made ?? { message: 'Not Found' }));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { HTTP_PROXY: proxy, http_proxy: proxy, GH_HOST: 'github.localhost', GH_ENTERPRISE_TOKEN: 'dummy' };
  const close = () => new Promise<void>(resolve => server.close(() => resolve()));
  return { env, issues, labels, close } satisfies GithubServer;
}

interface Store {
  readonly issues: ServerIssue[];
  readonly labels: string[];
}

function graphql({ query = '', variables = {} }: Asked, { issues, labels }: Store) {
  const repository = { id: 'R', hasIssuesEnabled: true };
  const page = { hasNextPage: false, endCursor: '' };
  const labelNodes = labels.map(name => ({ id: `L-${name}`, name }));
  const input = (variables['input'] ?? {}) as Readonly<Record<string, unknown>>;
  const meant = issues.find(({ number }) => [input['issueId'], input['subjectId']].includes(`I${number}`));
  const [, operation = ''] = /(?:query|mutation) (\w+)/.exec(query) ?? [];
  switch (operation) {
    case 'IssueSearch': {
      const [, label = ''] = /label:"?([^" ]+)/.exec(String(variables['query'])) ?? [];
      const nodes = issues.filter(({ state, labels: own }) => state === 'OPEN' && own.includes(label));
      return { data: { repository, search: { issueCount: nodes.length, nodes: nodes.map(shown), pageInfo: page } } };
    }
    case 'IssueByNumber': {
      const issue = issues.find(({ number }) => number === variables['number']);
      if (issue) return { data: { repository: { ...repository, issue: shown(issue) } } };
      const message = `Could not resolve to an issue or pull request with the number of ${String(variables['number'])}.`;
      const error = { type: 'NOT_FOUND', message, path: ['repository', 'issue'] };
      return { data: { repository: { ...repository, issue: null } }, errors: [error] };
    }
    case 'LabelList':
      return { data: { repository: { labels: { totalCount: labels.length, nodes: labelNodes, pageInfo: page } } } };
    case 'RepositoryLabelList':
      // gh refuses a field here that it did not ask for.
      return { data: { repository: { labels: { nodes: labelNodes, pageInfo: page } } } };
    case 'LabelAdd':
    case 'LabelRemove': {
      const issue = issues.find(({ number }) => input['labelableId'] === `I${number}`);
      const names = (input['labelIds'] as readonly string[]).map(id => id.slice(2));
      if (issue) {
        const others = issue.labels.filter(label => !names.includes(label));
        issue.labels = operation === 'LabelAdd' ? [...others, ...names] : others;
      }
      return { data: {} };
    }
    case 'CommentCreate':
      meant?.comments.push(String(input['body']));
      return { data: { addComment: { commentEdge: { node: { url: 'http://github.localhost/comment' } } } } };
    case 'IssueClose':
      if (meant) meant.state = 'CLOSED';
      return { data: { closeIssue: { issue: { id: String(input['issueId']) } } } };
    default:
      // Which fields this GitHub knows, and updates of an issue that change nothing else.
      return { data: { Issue: { fields: [{ name: 'stateReason' }] }, Repository: { fields: [] }, updateIssue: {} } };
  }
}

const shown = ({ number, title, body, labels, state }: ServerIssue) => ({
  __typename: 'Issue',
  id: `I${number}`,
  number,
  title,
  body,
  state,
  url: `http://github.localhost/acme/shop/issues/${number}`,
  milestone: null,
  labels: { nodes: labels.map(name => ({ id: `L-${name}`, name })), totalCount: labels.length },
});
