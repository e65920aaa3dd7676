import { describe, expect, it } from 'vitest';
import { offerOfStage } from '../../../lib/tools/deploy/stage-offer.ts';

const offerWith = (parameters: Readonly<Record<string, string>>, adapter = 'devolucoes') =>
  offerOfStage({ mode: 'connected', adapter, region: 'eu-central-1', parameters });

const taken = (parameter: string) => ({
  ok: false,
  failure: `parameter ${parameter}: must not name chave-idempotencia: the adapter devolucoes sends idempotency keys in it.`,
});

describe('offerOfStage', () => {
  it('returns what the adapter offers, with other headers', async () => {
    const offered = await offerWith({ ServiceHeaders: 'X-Tenant=acme', TokenHeader: 'X-Access-Token' });
    expect(offered).toMatchObject({ ok: true, value: { folder: 'adapters/devolucoes' } });
  });

  it('rejects a fixed header that has the idempotency keys of the adapter', async () => {
    const offered = await offerWith({ ServiceHeaders: 'X-Tenant=acme\nChave-Idempotencia=1' });
    expect(offered).toEqual(taken('ServiceHeaders'));
  });

  it('rejects a header of the token that has the idempotency keys of the adapter', async () => {
    expect(await offerWith({ TokenHeader: 'Chave-Idempotencia' })).toEqual(taken('TokenHeader'));
  });

  it('accepts such a header for an adapter without idempotency keys', async () => {
    expect(await offerWith({ TokenHeader: 'Chave-Idempotencia' }, 'bol')).toMatchObject({ ok: true });
  });

  it('rejects an adapter without a folder', async () => {
    expect(await offerWith({}, 'devolucao')).toMatchObject({ ok: false, failure: expect.stringMatching(/^adapter: /) });
  });
});
