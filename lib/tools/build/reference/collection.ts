import { basePath, type Scope } from '../../../contract/operation.ts';
import type { Described } from '../../../contract/openapi.ts';
import { headersOf, operationsOf, type PlacedOperation, readOpenApi } from './pages.ts';

/** The values of the collection for what a shell has in variables. */
const values: Readonly<Record<string, string>> = { $key: '{{$guid}}', $etag: '{{etag}}' };

const requestOf = ({ path, method, operation }: PlacedOperation) => {
  const body = operation.requestBody?.content['application/json'];
  const steps = `${basePath}${path}`.split('/').slice(1);
  return {
    method: method.toUpperCase(),
    // The collection itself adds the token.
    header: headersOf(operation)
      .filter(([name]) => name !== 'authorization')
      .map(([key, value]) => ({ key, value: values[value] ?? value })),
    url: {
      raw: `{{url}}${basePath}${path}`,
      host: ['{{url}}'],
      path: steps.map((step) => step.replace(/^\{(.*)\}$/, ':$1')),
    },
    ...(body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(body.example, null, 2) } }),
  };
};

/** The scopes that a client usually has. Searches of customers need one more. */
const scopesOf = ({ entries }: Described): readonly Scope[] =>
  (['returns:read', 'returns:write', 'returns:admin'] as const).filter((scope) =>
    Object.values(entries).some((entry) => entry.scope === scope),
  );

/**
 * A collection of the operations of a deployment, which Postman and Bruno import.
 * https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 */
export const collection = (described: Described) => ({
  info: {
    name: 'Returns Service',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: {
    type: 'oauth2',
    oauth2: [
      { key: 'grant_type', value: 'client_credentials' },
      { key: 'accessTokenUrl', value: '{{auth_url}}/connect/token' },
      { key: 'clientId', value: '{{client_id}}' },
      { key: 'clientSecret', value: '{{client_secret}}' },
      { key: 'scope', value: scopesOf(described).join(' ') },
      { key: 'addTokenTo', value: 'header' },
    ],
  },
  variable: ['url', 'auth_url', 'client_id', 'client_secret', 'etag'].map((key) => ({ key, value: '' })),
  item: [...Map.groupBy(operationsOf(readOpenApi(described)), ({ operation }) => operation.tags[0] ?? 'service')].map(
    ([name, members]) => ({
      name,
      item: members.map((member) => ({ name: member.operation.summary, request: requestOf(member) })),
    }),
  ),
});
