import { type Page } from './page.ts';

const requestOf = ({ blocks }: Page) => {
  const [first] = blocks;
  const [method = 'GET', path = '/'] = first?.kind === 'code' ? first.text.split(' ') : [];
  const example = blocks.find((block) => block.kind === 'code' && block.language === 'sh');
  const body = example?.kind === 'code' ? / -d '(.*)'$/s.exec(example.text)?.[1] : undefined;
  const needsKey = example?.kind === 'code' && example.text.includes('idempotency-key');
  return {
    method,
    header: [
      ...(needsKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    url: {
      raw: `{{url}}${path}`,
      host: ['{{url}}'],
      path: path
        .split('/')
        .slice(1)
        .map((part) => part.replace(/^\{(.*)\}$/, ':$1')),
    },
    ...(body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(JSON.parse(body), null, 2) } }),
  };
};

/**
 * A collection of all operations, which Postman and Bruno import.
 * https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 */
export const collectionOf = (pages: readonly Page[]) => ({
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
      { key: 'scope', value: 'returns:read returns:write returns:admin' },
      { key: 'addTokenTo', value: 'header' },
    ],
  },
  variable: ['url', 'auth_url', 'client_id', 'client_secret'].map((key) => ({ key, value: '' })),
  item: [
    ...Map.groupBy(
      pages.filter(({ group }) => group === 'operations'),
      ({ section }) => section,
    ),
  ].map(([name, members]) => ({ name, item: members.map((page) => ({ name: page.title, request: requestOf(page) })) })),
});
