import { describe, expect, it } from 'vitest';
import { serviceRequest } from '../../../lib/access/client/outgoing.ts';
import type { Operation } from '../../../lib/contract/operation.ts';
import { getVersion, registerOrder } from '../../../lib/contract/operations.ts';

const options = { dryRun: false, traceId: '0af7651916cd43dd8448eb211c80319c', deadline: 0, scopes: [] };

/** Returns the conditions of a request with this If-Match version. */
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

describe('serviceRequest', () => {
  it('sends If-None-Match for a resource that must not exist, where the operation allows it', () => {
    const creating: Operation = { ...registerOrder, ifMatch: 'required_or_none' };
    expect(conditionsOf(creating, 0)).toEqual({ noneMatch: '*' });
    expect(conditionsOf(creating, 3)).toEqual({ match: '"3"' });
    // An operation without If-None-Match would run without a condition.
    expect(conditionsOf({ ...registerOrder, ifMatch: 'optional' }, 0)).toEqual({ match: '"0"' });
  });

  it('writes only whole numbers into a path', () => {
    const pathOf = (version: unknown) =>
      serviceRequest('http://service/v1', getVersion, { policyId: 'pol_1', version }, options);
    expect(pathOf(7)).toMatchObject({
      ok: true,
      value: { url: expect.stringContaining('/v1/policies/pol_1/versions/7') },
    });
    expect(pathOf(0.5)).toMatchObject({ ok: false, failure: { errors: [{ path: '/version' }] } });
  });

  it.each(['a\nb', 'é', '\u{1f600}'])('rejects values that no header can contain: %j', (text) => {
    const sent = (unfit: object) =>
      serviceRequest('http://service/v1', getVersion, { policyId: 'pol_1', version: 7 }, { ...options, ...unfit });
    const rejected = (header: string) => ({
      ok: false,
      failure: { code: 'invalid_request', errors: [{ path: `header:${header}` }] },
    });
    expect(sent({ traceId: text })).toMatchObject(rejected('traceparent'));
    expect(sent({ idempotencyKey: text })).toMatchObject(rejected('idempotency-key'));
    expect(sent({ ifMatch: text })).toMatchObject(rejected('if-match'));
    expect(sent({ onBehalfOf: text })).toMatchObject(rejected('returns-on-behalf-of'));
    expect(sent({ acceptLanguage: text })).toMatchObject(rejected('accept-language'));
  });

  it('forwards the accepted languages', () => {
    const withLanguages = { ...options, acceptLanguage: 'pt-BR, en;q=0.5' };
    expect(
      serviceRequest('http://service/v1', getVersion, { policyId: 'pol_1', version: 7 }, withLanguages),
    ).toMatchObject({
      ok: true,
      value: { headers: { 'accept-language': 'pt-BR, en;q=0.5' } },
    });
  });
});
