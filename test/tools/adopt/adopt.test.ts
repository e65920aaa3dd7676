import { describe, expect, it } from 'vitest';
import { adopted, holesOf, proposalsOf, sourceOf } from './adopted.ts';
import { acme, acmeSwagger, bytesOf, dispatchingYaml, numbered } from './descriptions.ts';
import { adopt } from '../../../lib/tools/adopt/adopt.ts';

const places = (description: unknown): readonly string[] =>
  holesOf(sourceOf(adopted(description), 'adapter.ts')).map(({ what }) => what);

describe('the proposals', () => {
  it('are found by method and path, also without operation ids', () => {
    expect(proposalsOf(adopted(acme))).toEqual([
      'listReturns GET /rmas high',
      'createReturn POST /rmas high',
      'getReturn GET /rmas/{rmaNumber} high',
      'approve POST /rmas/{rmaNumber}/approve high',
      'reject POST /rmas/{rmaNumber}/decline high',
    ]);
  });

  it('split one call for several commands by the words of its body, and list the other words', () => {
    const result = adopted(dispatchingYaml);
    expect(proposalsOf(result)).toEqual([
      'getReturn GET /returns/{returnId} high',
      'approve POST /returns/{returnId}/actions medium Approve',
      'reject POST /returns/{returnId}/actions medium Reject',
    ]);
    expect(result.files.get('README.md')).toMatch(/has the words\s+`Escalate`/);
    expect(places(dispatchingYaml)).toContain(
      'the service answers 202: service.follow reads until the command is done',
    );
  });

  it('list one call for several commands whose words are unknown', () => {
    const result = adopted({
      openapi: '3.0.0',
      paths: { '/returns/actions': { post: { responses: {} } } },
    });
    expect(result.proposals).toEqual([]);
    expect(result.files.get('README.md')).toContain('- `POST /returns/actions` is one call for several commands');
  });

  it('leave requests that only have a word for returns to a person, and list them', () => {
    const paths = { '/api/ReturnsRefunds/CreateRMABooking': { post: {} }, '/return-labels': { get: {} } };
    const result = adopted({ openapi: '3.0.0', paths });
    expect(result.proposals).toEqual([]);
    expect(result.files.get('README.md')).toContain(
      '- `POST /api/ReturnsRefunds/CreateRMABooking`\n- `GET /return-labels`\n',
    );
  });

  it('are none for a description without returns, and the README says so', () => {
    const result = adopted({ openapi: '3.1.0', paths: { '/orders': { get: { responses: { '200': {} } } } } });
    expect(result.proposals).toEqual([]);
    expect(result.files.get('README.md')).toContain('Nothing: no path has returns as its resource.');
    expect(result.files.get('README.md')).toContain('- no request reads one return');
    expect(holesOf(sourceOf(result, 'adapter.ts')).map(({ what }) => what)).toContain(
      'how one return is read: no path of the description looks like it',
    );
  });
});

describe('a resource without a known word', () => {
  const renamed = (word: string): unknown => JSON.parse(JSON.stringify(acme).replaceAll('/rmas', `/${word}`));

  it.each([
    { word: 'sendbacks', resource: 'sendbacks' },
    { word: 'sendbacks', resource: 'sendback' },
    { word: 'sendbacks', resource: '/v3/sendbacks/{sendback_no}' },
    { word: 'customer-claims', resource: '/customer-claims' },
    { word: 'returnclaims', resource: 'returnclaims' },
    { word: 'cases', resource: 'cases' },
  ])('$word is found by $resource as by a known word', ({ word, resource }) => {
    const known = proposalsOf(adopted(acme)).map((proposal) => proposal.replace('/rmas', `/${word}`));
    expect(proposalsOf(adopted(renamed(word), resource))).toEqual(known);
  });

  it('leaves the types, the headers and the first requests, and names the option', () => {
    const header = { name: 'X-Company', in: 'header', required: true, schema: { type: 'string' } };
    const paths = Object.fromEntries(
      Array.from({ length: 23 }, (_, index) => [
        `/things${index}`,
        { parameters: [header], get: acme.paths['/rmas'].get },
      ]),
    );
    const result = adopted({ ...acme, paths });
    const readme = result.files.get('README.md') ?? '';
    expect(readme).toContain('`--resource`');
    expect(readme).toContain('- `GET /things19`\n- … and 3 more\n');
    expect(readme).toContain('- headers that requests need: `X-Company`');
    expect(sourceOf(result, 'service.ts')).toContain('export type Rma =');
    expect(sourceOf(result, 'adapter.ts')).toContain('"X-Company"');
  });

  it('leaves no types when the first requests reach more than 2,000 schemas, and says so', () => {
    const schema = (index: number) => ({ properties: { next: { $ref: `#/components/schemas/S${index}` } } });
    const schemas = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`S${index}`, schema(index + 1)]));
    const get = { responses: { '200': { content: { 'application/json': { schema: schema(0) } } } } };
    const result = adopted({ openapi: '3.0.0', paths: { '/things': { get } }, components: { schemas } });
    expect([...result.files.keys()]).toEqual(['adapter.ts', 'README.md']);
    expect(result.files.get('README.md')).toContain('reach more than 2000 schemas, so they have no types');
    expect(result.files.get('README.md')).not.toContain('service.ts');
    expect(sourceOf(result, 'adapter.ts')).not.toContain('service.ts');
  });
});

describe('the state of a return', () => {
  it('has a place for each word, with our status where the word says it', () => {
    const text = sourceOf(adopted(acme), 'adapter.ts');
    expect(text).toContain('OPEN: todo("our status for OPEN", "requested")');
    expect(text).toContain('"IN TRANSIT": todo("our status for IN TRANSIT", "in_transit")');
    expect(sourceOf(adopted(acme), 'service.ts')).toContain(
      'export type State = "OPEN" | "APPROVED" | "IN TRANSIT" | "DONE";',
    );
  });

  it('is one place without words', () => {
    expect(places(dispatchingYaml)).toContain('our status for each word of the service: its description lists none');
  });

  it('is found in a filter of the list when the answer has no words', () => {
    const list = {
      openapi: '3.0.0',
      paths: {
        '/returns': {
          get: {
            parameters: [{ name: 'status', in: 'query', schema: { type: 'string', enum: ['open', 'closed'] } }],
            responses: {},
          },
        },
      },
    };
    expect(places(list)).toEqual(expect.arrayContaining(['our status for open', 'our status for closed']));
  });

  it('of a line is named in the README', () => {
    expect(adopted(acme).files.get('README.md')).toContain('- a state of each line in `status`, with 1 words');
  });
});

describe('numbers', () => {
  const text = sourceOf(adopted(numbered, 'sendbacks'), 'adapter.ts');

  it('are words of states, which are text for the adapter', () => {
    expect(text).toContain('"10": todo("our status for 10")');
    expect(text).toContain('state: todo("the state, a word of the service", `${item.phase}`)');
  });

  it('are ids, the one of the path first, which become text', () => {
    expect(text).toContain('returnId: todo("the id that people know, as text", item.sendback_no.toString())');
    expect(text).toContain('orderId: todo("the id of the order, as text", item.purchase_ref?.toString())');
  });

  it('are seconds since 1970 in the field of a time', () => {
    expect(text).toContain("import { instantOfSeconds } from '../fields.ts';");
    expect(text).toContain('instantOfSeconds(item.opened_ts, "/opened_ts")');
  });

  it('of a time that may be absent are left to a person', () => {
    const { Sendback } = numbered.components.schemas;
    const optional = { ...Sendback, required: Sendback.required.filter((name) => name !== 'opened_ts') };
    const schemas = { ...numbered.components.schemas, Sendback: optional };
    const result = sourceOf(adopted({ ...numbered, components: { schemas } }, 'sendbacks'), 'adapter.ts');
    expect(result).toContain('instantOfSeconds of ../fields.ts converts seconds since 1970", item.opened_ts)');
    expect(result).not.toContain('import { instantOfSeconds }');
  });
});

describe('an error', () => {
  const withErrors = (words: readonly string[]): string => {
    const type = { type: 'string', enum: words };
    const schema = { properties: { error: { properties: { type, hint: { type: 'string' } } } } };
    const { get } = acme.paths['/rmas/{rmaNumber}'];
    const responses = { 200: get.responses['200'], default: { content: { 'application/json': { schema } } } };
    return sourceOf(adopted({ ...acme, paths: { '/rmas/{rmaNumber}': { get: { responses } } } }), 'adapter.ts');
  };

  it('without a status has a place for each word, and one for the field', () => {
    const text = withErrors(['no_such_rma', 'wrong phase']);
    expect(text).toContain('no_such_rma: todo("our code for the error no_such_rma")');
    expect(text).toContain('"wrong phase": todo("our code for the error wrong phase")');
    expect(text).toContain('errorIn: todo("the word of the error in an answer; failures has our code for it"');
  });

  it('has no places for more than 20 words', () => {
    const text = withErrors(Array.from({ length: 21 }, (_, index) => `E${index}`));
    expect(text).not.toContain('our code for the error');
    expect(text).toContain('errorIn: todo(');
  });
});

describe('the access', () => {
  it('has the path of the first server, the path of the token and the scopes', () => {
    const text = sourceOf(adopted(acme), 'adapter.ts');
    expect(text).toContain('ServicePath: "/api/v2"');
    expect(text).toContain('TokenPath: "/oauth/token"');
    expect(text).toContain('ServiceScopes: todo("their scopes for ours", "returns:read=rma.read")');
    expect(adopted(acme).files.get('README.md')).toMatch(/## Found\n\n(?:- .*\n)*- the security scheme `oauth`\n/);
  });

  it.each([
    { scopes: ['sb.write', 'sb.read'], hint: 'returns:read=sb.read,returns:write=sb.write' },
    { scopes: ['orders.read', 'rma.read', 'orders.write'], hint: 'returns:read=rma.read,returns:write=orders.write' },
    { scopes: ['api'], hint: 'returns:read=api,returns:write=api' },
    { scopes: ['rma:manage'], hint: 'returns:read=rma:manage,returns:write=rma:manage' },
  ])('has one text for the scopes $scopes', ({ scopes, hint }) => {
    const flow = { tokenUrl: 'https://id.acme.example/token', scopes: Object.fromEntries(scopes.map((s) => [s, ''])) };
    const scheme = { type: 'oauth2', flows: { clientCredentials: flow } };
    const scoped = { ...acme, components: { ...acme.components, securitySchemes: { oauth: scheme } } };
    expect(sourceOf(adopted(scoped), 'adapter.ts')).toContain(
      `ServiceScopes: todo("their scopes for ours", "${hint}")`,
    );
  });

  it('has the base path and the media type of Swagger 2.0', () => {
    const text = sourceOf(adopted(acmeSwagger), 'adapter.ts');
    expect(text).toContain('ServicePath: "/api/v2"');
    expect(text).toContain('accept: "application/vnd.acme+json"');
  });

  it('has the header of a key, and the README says that a token endpoint is missing', () => {
    const keyed = {
      ...acme,
      components: { ...acme.components, securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } },
    };
    expect(sourceOf(adopted(keyed), 'adapter.ts')).toContain('TokenHeader: "X-Api-Key", TokenScheme: "none"');
    expect(adopted(keyed).files.get('README.md')).toContain('connected mode gets a token from a token endpoint');
  });
});

describe('the header of an idempotency key', () => {
  it.each([
    { name: 'Idempotency-Key' },
    { name: 'Chave-Idempotencia' },
    { name: 'X-Request-Ref', description: 'Idempotency key of the request' },
  ])('is the rule of the command, and no fixed header of all requests: $name', (header) => {
    const { post } = acme.paths['/rmas'];
    const parameters = [{ ...header, in: 'header', required: true, schema: { type: 'string' } }];
    const paths = { ...acme.paths, '/rmas': { ...acme.paths['/rmas'], post: { ...post, parameters } } };
    const result = adopted({ ...acme, paths });

    const text = sourceOf(result, 'adapter.ts');
    expect(text).toContain(`{ rule: 'header', header: "${header.name}" }`);
    expect(text).not.toContain('ServiceHeaders');
    expect(result.files.get('README.md')).not.toContain('headers that requests need');
  });
});

describe('a list', () => {
  const list = (parameters: readonly string[]) =>
    sourceOf(
      adopted({
        ...acme,
        paths: {
          '/rmas': {
            get: { ...acme.paths['/rmas'].get, parameters: parameters.map((name) => ({ name, in: 'query' })) },
          },
        },
      }),
      'adapter.ts',
    );

  it.each([
    { parameters: ['pageNumber', 'pageSize'], query: 'query: { pageNumber: position, pageSize: limit }' },
    { parameters: ['offset', 'limit'], query: 'query: { offset: position, limit: limit }' },
    { parameters: ['continuation_token'], query: 'query: { continuation_token: cursor }' },
    { parameters: ['page[number]', 'page[size]'], query: 'query: { "page[number]": position, "page[size]": limit }' },
  ])('with the parameters $parameters sends them', ({ parameters, query }) => {
    expect(list(parameters)).toContain(query);
  });

  it('without parameters of pages has a place for the next page', () => {
    const holes = holesOf(list([])).map(({ what }) => what);
    expect(holes).toContain('what the next page needs; undefined on the last page');
  });
});

it('the id of a return stands after the word for returns, whatever other ids are called', () => {
  const result = adopted({
    ...acme,
    paths: { '/shops/{returnId}/returns/{id}': acme.paths['/rmas/{rmaNumber}'] },
  });
  expect(sourceOf(result, 'adapter.ts')).toContain(
    'path`/shops/${todo("the path parameter returnId")}/returns/${returnId}`',
  );
});

describe('a description', () => {
  it('gives the same adapter as JSON and as YAML', () => {
    const yaml = adopt(bytesOf(JSON.stringify(acme, null, 1).replace('{', '# YAML\n{')), 'acme');
    expect(yaml.ok && yaml.value.files).toEqual(adopted(acme).files);
  });

  it('keeps its descriptions out of all files', () => {
    const description = 'Zweck */ `of` the field';
    const described = JSON.parse(
      JSON.stringify(acme).replaceAll(
        '"type":"string"',
        `"type":"string","description":${JSON.stringify(description)}`,
      ),
    ) as unknown;
    for (const text of adopted(described).files.values()) expect(text).not.toContain('Zweck');
  });
});
