import { describe, expect, it } from 'vitest';
import { startOwnOutside } from '../support/lambda-runtime/own-outside.ts';
import { stack } from '../support/stack.ts';

const everything = 'returns:read returns:write returns:admin';
const command = {
  headers: { 'idempotency-key': 'once', 'if-match': '"1"', 'content-type': 'application/json' },
  body: '{}',
};

describe('token scope of a connected function', () => {
  it.concurrent.each([
    ['getReturn', 'returns:read', {}, 'returns:read'],
    ['getReturn', everything, {}, 'returns:read'],
    ['approve', 'returns:write', command, 'returns:write'],
    ['approve', 'returns:read returns:write', command, 'returns:write'],
    ['approve', everything, command, 'returns:admin returns:write'],
    ['getJob', 'returns:admin', {}, 'returns:admin returns:write'],
    ['health', undefined, {}, 'returns:read'],
  ] as const)(
    '%s with caller scope %s: requests the scope of the operation, and admin where it may be needed',
    async (key, scope, provided, requested) => {
      await using one = await startOwnOutside(stack(), { clientSecret: crypto.randomUUID(), key });
      const claims = scope === undefined ? {} : { claims: { client_id: 'other-client', scope } };
      const { outcome, left } = await one.invoke(undefined, { ...provided, ...claims });
      expect([outcome, left]).toMatchObject([{ kind: 'response', payload: { statusCode: 200 } }, []]);
      expect(one.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('scope'))).toEqual([requested]);
    },
  );
});
