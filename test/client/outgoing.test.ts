import { expect, it } from 'vitest';
import { serviceRequest } from '../../lib/client/outgoing.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import { getVersion, registerOrder } from '../../lib/contract/operations.ts';

const options = { dryRun: false, traceId: '0af7651916cd43dd8448eb211c80319c', deadline: 0, scopes: [] };

/** The conditions of a request that says it saw this version. */
const conditionsOf = (operation: Operation, ifMatch: number) => {
  const request = serviceRequest(
    'http://service',
    operation,
    { platform: 'web', orderId: '1' },
    { ...options, ifMatch },
  );
  if (!request.ok) throw new Error(request.failure.detail);
  const { 'if-match': match, 'if-none-match': noneMatch } = request.value.headers;
  return { match, noneMatch };
};

it('says of what must not be there yet that it must not, where that may be said', () => {
  const creating: Operation = { ...registerOrder, ifMatch: 'required_or_none' };
  expect(conditionsOf(creating, 0)).toEqual({ noneMatch: '*' });
  expect(conditionsOf(creating, 3)).toEqual({ match: '"3"' });
  // An operation that knows nothing of If-None-Match would go ahead without a condition.
  expect(conditionsOf({ ...registerOrder, ifMatch: 'heeded' }, 0)).toEqual({ match: '"0"' });
});

it('writes a number into a path, and nothing that is no whole one', () => {
  const pathOf = (version: unknown) =>
    serviceRequest('http://service', getVersion, { policyId: 'pol_1', version }, options);
  expect(pathOf(7)).toMatchObject({
    ok: true,
    value: { url: expect.stringContaining('/v1/policies/pol_1/versions/7') },
  });
  expect(pathOf(0.5)).toMatchObject({ ok: false, failure: { errors: [{ path: '/version' }] } });
});

it.each(['a\nb', 'é', '\u{1f600}'])('refuses what no header can carry: %j', (text) => {
  const sent = (unfit: object) =>
    serviceRequest('http://service', getVersion, { policyId: 'pol_1', version: 7 }, { ...options, ...unfit });
  const refused = (header: string) => ({
    ok: false,
    failure: { code: 'invalid_request', errors: [{ path: `header:${header}` }] },
  });
  expect(sent({ traceId: text })).toMatchObject(refused('traceparent'));
  expect(sent({ idempotencyKey: text })).toMatchObject(refused('idempotency-key'));
  expect(sent({ ifMatch: text })).toMatchObject(refused('if-match'));
  expect(sent({ onBehalfOf: text })).toMatchObject(refused('returns-on-behalf-of'));
  expect(sent({ acceptLanguage: text })).toMatchObject(refused('accept-language'));
});

it('passes on which languages are accepted', () => {
  const given = { ...options, acceptLanguage: 'pt-BR, en;q=0.5' };
  expect(serviceRequest('http://service', getVersion, { policyId: 'pol_1', version: 7 }, given)).toMatchObject({
    ok: true,
    value: { headers: { 'accept-language': 'pt-BR, en;q=0.5' } },
  });
});
