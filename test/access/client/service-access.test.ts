import { describe, expect, it } from 'vitest';
import { withoutReason } from '../../../lib/access/client/failures.ts';
import { approve, getReturn } from '../../../lib/contract/operations.ts';
import { returnId, start } from './service-harness.ts';

describe('missing access', () => {
  it('returns 503 with the time of the next attempt', async () => {
    await using test = await start();
    test.harness.idp.always = { status: 429, headers: { 'retry-after': '20' } };
    const failure = { code: 'dependency_unavailable', retryAfterSeconds: 20 };
    expect(await test.call(getReturn, { returnId })).toMatchObject({ ok: false, failure });
    expect(await test.call(getReturn, { returnId })).toMatchObject({ ok: false, failure });
    expect([test.harness.posts(), test.api.requests.length]).toEqual([1, 0]);
  });

  it('returns the same when the client is rejected', async () => {
    await using test = await start();
    test.harness.idp.accepted.clear();
    const failure = { code: 'dependency_unavailable', retryAfterSeconds: 60 };
    expect(await test.call(getReturn, { returnId })).toMatchObject({ ok: false, failure });
  });

  it('has its reason, which other clients do not receive', async () => {
    await using test = await start('reset');
    test.harness.idp.instead.push({ status: 400, body: '{"error":"invalid_scope"}' });
    const answers = [await test.call(getReturn, { returnId }), await test.call(approve, { returnId })];
    const failures = answers.flatMap((answer) => (answer.ok ? [] : [answer.failure]));
    expect(failures.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/ invalid_scope$/),
      expect.stringMatching(/^reset /),
    ]);
    const publicFailure = {
      code: 'dependency_unavailable',
      detail: 'The Returns Service cannot be reached. Try again later.',
    };
    expect(failures.map(withoutReason)).toEqual([{ ...publicFailure, retryAfterSeconds: 60 }, publicFailure]);
  });
});
