import { afterAll, describe, expect, it } from 'vitest';
import type { Input, Output } from '../../../lib/contract/contract.ts';
import type { Result } from '../../../lib/contract/result.ts';
import type { Reply } from '../../../lib/contract/port.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { documentFor } from '../../support/policies.ts';
import * as backend from '../../../lib/edge/backend/standalone.ts';

const engines = await startEngines();
afterAll(async () => engines.stop());

const replyIn = <Body>(result: Result<Reply<Body>>): Reply<Body> => {
  if (!result.ok) throw new Error(result.failure.code);
  return result.value;
};

describe('command without a change', () => {
  it('uses up its idempotency key', async () => {
    const input = { name: 'Standard', document: documentFor() } as Input<'createPolicy'>;
    const { policyId } = replyIn<Output<'createPolicy'>>(await backend.createPolicy(input, backendCall())).body;
    const call = backendCall();
    const shadow = async (enabled: boolean, by = backendCall()) => backend.shadowDraft({ policyId, enabled }, by);
    const first = replyIn(await shadow(false, call));
    expect(await shadow(true, call)).toMatchObject({ ok: false, failure: { code: 'idempotency_key_reused' } });
    await shadow(true);
    expect(replyIn(await shadow(false, call))).toEqual({ ...first, replayed: true });
    expect(replyIn(await backend.getVersion({ policyId, version: 1 }, backendCall())).body.shadowed).toBe(true);
  });
});
