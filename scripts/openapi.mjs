/** The OpenAPI description of the interface of `ralph serve`, made from the types that the server and the page share. */
import { withType } from './type-schema.mjs';

const ERROR = { $ref: '#/components/schemas/ErrorAnswer' };
const QUERIES = {
  'GET /runs/{run}/items': ['from', 'count', 'q', 'status'],
  'GET /runs/{run}/stream': ['after'],
  'GET /morning': ['since'],
  'GET /search': ['q'],
};

export function openApi() {
  const options = { place: '#/components/schemas/', closed: false };
  const file = 'src/view/types/routes.ts';
  return withType({ ...options, file, name: 'Interface' }, (type, maker) => {
    const parts = Object.fromEntries(maker.propertiesOf(type).map(each => [each.symbol.name, each.type]));
    const bodies = Object.fromEntries(
      maker.propertiesOf(parts.bodies).map(each => [each.symbol.name, maker.of(each.type)]),
    );
    maker.of(parts.failed);
    const paths = {};
    for (const { symbol, type: answer, description } of [
      ...maker.propertiesOf(parts.routes),
      ...maker.propertiesOf(parts.texts),
    ]) {
      const { name } = symbol;
      const [method, path] = name.split(' ');
      const kind = path.endsWith('/stream')
        ? 'text/event-stream'
        : path.endsWith('/{file}')
          ? 'text/plain'
          : 'application/json';
      paths[path] = {
        [method.toLowerCase()]: {
          ...(description ? { description } : {}),
          parameters: parametersOf(name, path, method),
          ...(bodies[name]
            ? { requestBody: { required: true, content: { 'application/json': { schema: bodies[name] } } } }
            : {}),
          responses: {
            200: { description: 'The view', content: { [kind]: { schema: maker.of(answer) } } },
            default: { description: 'Why not, and what to do', content: { 'application/json': { schema: ERROR } } },
          },
        },
      };
    }
    return {
      openapi: '3.1.0',
      info: { title: 'ralph serve', version: '1', description: 'See docs/http.md' },
      servers: [{ url: 'http://127.0.0.1:4010/api/v1' }],
      security: [{ session: [] }],
      paths,
      components: {
        schemas: maker.definitions(),
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'ralph-4010' } },
      },
    };
  });
}

function parametersOf(name, path, method) {
  const one = (where, each, required) => ({ name: each, in: where, required, schema: { type: 'string' } });
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, each]) => one('path', each, true)),
    ...(QUERIES[name] ?? []).map(each => one('query', each, false)),
    ...(method === 'POST' ? [one('header', 'X-Ralph-Csrf', true)] : []),
  ];
}
