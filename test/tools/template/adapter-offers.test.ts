import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OfferableName } from '../../../lib/adapters/adapter.ts';
import { contract, type OperationName } from '../../../lib/contract/contract.ts';
import type { OperationEntry } from '../../../lib/contract/entry.ts';
import { inboxOperations } from '../../../lib/contract/inbox/sync.ts';
import { openApi } from '../../../lib/contract/openapi.ts';
import { type AnyAdapter, offeredEntries } from '../../../lib/tools/template/adapters/derive-contract.ts';
import { operationsOf } from '../../../lib/tools/template/function-needs.ts';
import { apiBody, operationPaths } from '../../../lib/tools/template/gateway.ts';
import { alarmsOf } from '../../../lib/tools/template/alarms/alarms.ts';
import { environmentIn, functionRows, hasInbox, rowsOf } from '../../../lib/tools/template/functions.ts';
import { type Offer, offers } from '../../../lib/tools/template/offer.ts';
import { queuesOf } from '../../../lib/tools/template/queues.ts';
import { webBody, webLimits } from '../../../lib/tools/template/web-gateway.ts';
import { unfitExamples } from '../../support/generated/unfit-examples.ts';
import type { StackTemplate } from '../../../lib/tools/template/package/nested-stacks.ts';
import { withUsedParts } from '../../../lib/tools/template/package/used-parts.ts';
import { templatePart } from '../../../lib/tools/template/resources/template-part.ts';
import { runs } from '../../support/samples.ts';

const local: ReadonlySet<string> = new Set([
  'asyncapi',
  'getInboxDelivery',
  'health',
  'listDeadLetters',
  'listInboxDeliveries',
  'openapi',
  'redrive',
  'redriveDeadLetters',
  'replay',
  'replayRange',
]);
const offerable = (Object.keys(contract) as OperationName[]).filter((name) => !local.has(name)) as OfferableName[];

/** Returns the adapter of a service that has these operations, each with the fields that our contract requires. */
const adapterOf = (names: readonly OfferableName[]): AnyAdapter => {
  const mapping = (name: OfferableName) => {
    const { query, body } = contract[name] as OperationEntry;
    const accepts = [query, body].flatMap(({ required }) => [...(required ?? [])]);
    return { accepts, run: () => Promise.reject(new Error('not called')), repeat: { rule: 'never' } };
  };
  return {
    name: 'acme',
    title: 'ACME',
    parameters: {},
    states: {},
    otherwise: 'requested',
    failures: {},
    probe: () => Promise.resolve(),
    operations: Object.fromEntries(names.map((name) => [name, mapping(name)])),
  } as unknown as AnyAdapter;
};

/** Returns the adapter of a service that honours all fields of these operations. */
const acceptingAll = (names: readonly OfferableName[]): AnyAdapter => {
  const adapter = adapterOf(names);
  const mappings = names.map((name) => {
    const { query, body } = contract[name] as OperationEntry;
    const accepts = [query, body].flatMap(({ properties }) => Object.keys(properties));
    return [name, { ...adapter.operations[name], accepts }];
  });
  return { ...adapter, operations: Object.fromEntries(mappings) };
};

const offerOf = (names: readonly OfferableName[]): Offer => ({
  mode: 'connected',
  folder: 'adapters/acme',
  entries: offeredEntries(adapterOf(names)),
  adapter: { name: 'acme', title: 'ACME', parameters: {} },
});

/** A set with everything that the inbox calls. Random sets rarely have it. */
const withInbox: OfferableName[] = [...inboxOperations, 'withdrawWithdrawal'];

const someOperations = fc.subarray(offerable, { minLength: 1 });

/** Returns the logical ids that a value refers to. */
const refsIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref' && typeof inner === 'string') return [inner];
    if (key === 'Fn::GetAtt' && Array.isArray(inner)) return [String(inner[0])];
    return refsIn(inner);
  });
};

/** Returns every schema with a name, as JSON. */
const namedIn = (value: unknown): readonly (readonly [name: string, schema: string])[] => {
  if (Array.isArray(value)) return value.flatMap(namedIn);
  if (typeof value !== 'object' || value === null) return [];
  const { $id: name, 'x-about': _, ...schema } = value as Readonly<Record<string, unknown>>;
  const inner = Object.values(value).flatMap(namedIn);
  return typeof name === 'string' ? [[name, JSON.stringify(schema)], ...inner] : inner;
};

describe('deployment of an adapter', () => {
  it('has a function if all operations that it calls are offered, and no other', () => {
    fc.assert(
      fc.property(someOperations, (names) => {
        const offer = offerOf(names);
        const exist = new Set(rowsOf(offer).map(([name]) => name));
        for (const [name, row] of Object.entries(functionRows)) {
          if (row.permissions.connected === undefined) continue;
          const needs = row.needs ?? operationsOf(name);
          expect({ name, exists: exist.has(name) }).toEqual({
            name,
            exists: needs.every((need) => Object.hasOwn(offer.entries, need)),
          });
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('refers to no function, queue or API that it does not have', () => {
    fc.assert(
      fc.property(someOperations, (names) => {
        const offer = offerOf(names);
        const part = templatePart(offer);
        const functions = new Set(rowsOf(offer).map(([name]) => name.toLowerCase()));
        const resources = new Set(Object.keys(part.Resources));
        const missing = refsIn([part, apiBody(offer)]).filter((id) => {
          if (/(Queue|DeadLetters)$/.test(id)) return !resources.has(id);
          // serverless.yml has them for the inbox.
          if (/^(InboxBucket|Hooks|HooksStage)$/.test(id)) return !hasInbox(offer);
          const [, name] = /^(\w+?)(LambdaFunction|LogGroup|Live)$/.exec(id) ?? [];
          return name !== undefined && !functions.has(name.toLowerCase());
        });
        expect(missing).toEqual([]);
      }),
      { numRuns: 10, examples: [[withInbox]] },
    );
  });

  it('has the parameters and conditions that its template uses, and no other', () => {
    fc.assert(
      fc.property(someOperations, (names) => {
        const { extensions: _, ...part } = templatePart(offerOf(names)) as unknown as StackTemplate & {
          readonly extensions: unknown;
        };
        const used = withUsedParts(part);
        const { Parameters = {}, Conditions = {}, ...rest } = used;
        const text = JSON.stringify([rest, Conditions]);
        const parameters = Object.keys(part.Parameters ?? {});
        expect(Object.keys(Parameters)).toEqual(
          parameters.filter((name) => text.includes(`{"Ref":"${name}"}`) || text.includes(`\${${name}}`)),
        );
        const conditions = Object.entries(part.Conditions ?? {});
        expect(Object.keys(Conditions)).toEqual(
          conditions
            .filter(([name]) => text.includes(`"Fn::If":["${name}"`) || text.includes(`"Condition":"${name}"`))
            .map(([name]) => name),
        );
      }),
      { numRuns: 10, examples: [[withInbox]] },
    );
  });

  it('has no parameter of the domain of webhooks without webhooks', () => {
    const names = (offered: readonly OfferableName[]) =>
      Object.keys(withUsedParts(templatePart(offerOf(offered)) as unknown as StackTemplate).Parameters ?? {});
    expect(names(withInbox)).toContain('HooksDomainName');
    expect(names(['getReturn'])).not.toContain('HooksDomainName');
    expect(names(['getReturn'])).toContain('Adapter');
  });

  it('has a route of its own for an operation that is not offered, where another route would take its requests', () => {
    const functionOf = (names: readonly OfferableName[], method: string, path: string) =>
      /(\w+)Live/.exec(JSON.stringify(operationPaths(offerOf(names))[path]?.[method] ?? ''))?.[1];
    expect(functionOf(['getReturn'], 'get', '/v1/returns/views')).toBe('NotOffered');
    expect(functionOf(['getReturn', 'countViews'], 'get', '/v1/returns/views')).toBe('CountViews');
    expect(functionOf(['listReturns'], 'get', '/v1/returns/views')).toBeUndefined();
    expect(functionOf(['getReturn'], 'get', '/v1/returns/{returnId}')).toBe('GetReturn');
  });

  it('has no console unless every operation that its screens call is offered', () => {
    const offered = offerOf(['countViews', 'listReturns', 'getReturn']);
    expect(rowsOf(offered).map(([name]) => name)).not.toContain('console');
    expect(operationsOf('console')).toEqual(expect.arrayContaining(['countViews', 'getHistory', 'publish', 'redrive']));
    for (const offer of Object.values(offers)) expect(rowsOf(offer).map(([name]) => name)).toContain('console');
  });

  it('serves no users in a browser, and refers to nothing of theirs, without the console', () => {
    const partsOf = (offer: Offer) =>
      JSON.stringify([webBody(offer), webLimits(offer), rowsOf(offer).map(([, row]) => environmentIn(row, offer))]);
    expect(partsOf(offerOf(offerable))).not.toMatch(/Console/);
    for (const offer of Object.values(offers)) expect(partsOf(offer)).toContain('ServesConsole');
  });

  it('has the queues and the webhooks where everything that the inbox calls is offered', () => {
    const names = (offer: Offer) => queuesOf(offer).map(([name]) => name);
    expect(names(offerOf(['getReturn']))).toEqual([]);
    expect(names(offerOf([...inboxOperations] as OfferableName[]))).toEqual(['Inbox', 'Events']);
    expect(alarmsOf(offerOf(['getReturn'])).map(({ name }) => name)).not.toContain('HooksErrors');
  });

  it('has the alarm of unknown states', () => {
    expect(alarmsOf(offerOf(['getReturn'])).map(({ name }) => name)).toContain('UnknownState');
  });
});

describe('contract of an adapter', () => {
  it('has one schema for each name, in any set of operations', () => {
    fc.assert(
      fc.property(someOperations, (names) => {
        const entries = Object.values(offerOf(names).entries).map(({ params, query, body, answers }) => [
          params,
          query,
          body,
          answers,
        ]);
        const schemas = new Map<string, string>();
        for (const [name, schema] of namedIn(entries)) {
          expect({ name, schema: schemas.get(name) ?? schema }).toEqual({ name, schema });
          schemas.set(name, schema);
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('offers neither a rehearsal nor conditions', () => {
    const document = JSON.stringify(openApi('https://id.example.com/connect/token', offerOf(offerable)));
    expect(document).not.toMatch(/"name":"(dryRun|If-Match|If-None-Match|Returns-On-Behalf-Of)"/);
  });

  it('lists a code once that both the service and the deployment give', () => {
    const rules = { failures: { 400: 'invalid_request', 429: 'rate_limited' } };
    const adapter = { ...adapterOf(['createReturn']), ...rules } as unknown as AnyAdapter;
    const offer = { ...offerOf(['createReturn']), entries: offeredEntries(adapter) };
    const { paths } = openApi('https://id.example.com/connect/token', offer) as unknown as {
      readonly paths: Readonly<
        Record<string, Readonly<Record<string, { readonly responses: Record<string, object> }>>>
      >;
    };
    const response = JSON.stringify(paths['/returns']?.['post']?.responses['400']);
    expect(response).toContain('"code":{"enum":["invalid_request","idempotency_key_required"]}');
    expect(response.match(/`invalid_request`/g)).toHaveLength(1);
  });

  it('has opaque ids, and none of ours', () => {
    const document = JSON.stringify(openApi('https://id.example.com/connect/token', offerOf(['getReturn', 'approve'])));
    expect(document).not.toContain('^ret_');
    expect(document).toContain('^(?!\\\\.{1,2}$)[A-Za-z0-9._~:-]{1,128}$');
  });

  it.each(offerable)('is made from a mapping of %s that accepts all fields of the contract', (name) => {
    expect(offeredEntries(acceptingAll([name]))).toHaveProperty(name);
  });

  it('shows examples that fit its schemas, with all operations', () => {
    const offer = { ...offerOf(offerable), entries: offeredEntries(acceptingAll(offerable)) };
    expect(unfitExamples(JSON.stringify(openApi('https://id.example.com/connect/token', offer)))).toEqual([]);
  });

  it.each(['Authorization', 'content-type', 'X Key'])('is not made from a rule with the header %s', (header) => {
    const adapter = adapterOf(['approve']);
    const operations = { approve: { ...adapter.operations.approve, repeat: { rule: 'header', header } } };
    expect(() => offeredEntries({ ...adapter, operations } as unknown as AnyAdapter)).toThrow(`and is ${header}`);
  });

  it('is made from a rule with the header Idempotency-Key', () => {
    const adapter = adapterOf(['approve']);
    const repeat = { rule: 'header', header: 'Idempotency-Key' };
    const operations = { approve: { ...adapter.operations.approve, repeat } };
    expect(offeredEntries({ ...adapter, operations } as unknown as AnyAdapter)).toHaveProperty('approve');
  });

  it.each([
    ['failures', { failures: { 404: 'return_not_fond' } }, 'failures["404"] names "return_not_fond"'],
    ['ownFailures', { ownFailures: ['return_not_fond'] }, 'ownFailures names "return_not_fond"'],
  ])('is not made from an unknown code in %s', (_, rules, message) => {
    const adapter = { ...adapterOf(['getReturn']), ...rules } as unknown as AnyAdapter;
    expect(() => offeredEntries(adapter)).toThrow(
      `lib/adapters/acme/adapter.ts: ${message}, which is no error code. Did you mean return_not_found?`,
    );
  });

  it.each([
    ['a field that the contract does not have', ['nothing'], /approve: accepts names nothing/],
    ['no field that the contract requires', [], /reject: accepts must name code/],
  ])('is not made from a mapping that accepts %s', (_, accepts, message) => {
    const name = accepts.length === 0 ? 'reject' : 'approve';
    const adapter = adapterOf([name]);
    const operations = { [name]: { ...adapter.operations[name], accepts } };
    expect(() => offeredEntries({ ...adapter, operations } as unknown as AnyAdapter)).toThrow(message);
  });
});
