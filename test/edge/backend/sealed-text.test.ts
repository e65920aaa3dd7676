import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealText, unsealText } from '../../../lib/service/execution/sealed-text.ts';
import { createSigner } from '../../../lib/service/execution/signer.ts';
import { signingConfig } from '../../../lib/runtime/configuration/config.ts';
import { secrets } from '../../../lib/access/secrets/source.ts';
import { startServer } from '../../support/http-server.ts';
import { runs } from '../../support/samples.ts';
import { openSigningSecret, type SigningSecret } from '../../support/signing-secret.ts';

const { openSealed, openSigned, seal, sign } = createSigner(async (options) =>
  secrets().read(signingConfig().signingSecretId, options),
);

const text = fc.string({ unit: 'binary' }).map((one) => one.toWellFormed());
const purpose = fc.array(text, { maxLength: 3 });

describe('sealText', () => {
  it('makes a text that only its purpose and its key open', () => {
    fc.assert(
      fc.property(text, purpose, text, text, (secret, own, key, otherKey) => {
        const sealed = sealText(secret, own, key);
        expect(sealed).toMatch(/^[\w-]+$/);
        expect(unsealText(sealed, own, key)).toBe(secret);
        expect(unsealText(sealed, [...own, 'more'], key)).toBeUndefined();
        expect(unsealText(sealed, own, `${key}${otherKey}.`)).toBeUndefined();
      }),
      { numRuns: runs(200) },
    );
  });

  it('makes a text of which no other text opens, whichever bit or length differs', () => {
    const sealed = Buffer.from(sealText('wdr_1', ['a'], 'key'), 'base64url');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(unsealText(changed.toString('base64url'), ['a'], 'key')).toBeUndefined();
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(unsealText(sealed.subarray(0, length).toString('base64url'), ['a'], 'key')).toBeUndefined();
    const spelled = sealed.toString('base64url');
    for (const same of [`${spelled}=`, `${spelled} `, `${spelled}.x`, sealed.toString('base64').concat('=')])
      expect(unsealText(same, ['a'], 'key')).toBeUndefined();
  });

  it('makes another text each time, which shows nothing of the secret one', () => {
    const sealed = [1, 2].map(() => sealText('wdr_01KAJ5B7D9F1H3K5M7P9R1T3V5', ['a'], 'key'));
    expect(sealed[0]).not.toBe(sealed[1]);
    for (const one of sealed) expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('wdr_');
  });
});

describe('sealed text of a deployment', () => {
  let secret: SigningSecret;
  beforeEach(async () => {
    secret = await openSigningSecret();
    secret.use();
  });
  afterEach(async () => secret[Symbol.asyncDispose]());

  const sealed = async () => {
    const result = await seal('7', ['a']);
    return result.ok ? result.value : '';
  };

  it('opens after one rotation of the key, and not after two', async () => {
    const first = await sealed();
    expect(await openSealed(first, ['a'])).toEqual({ ok: true, value: '7' });
    await secret.rotate('the-second-key');
    secret.use();
    expect(await openSealed(first, ['a'])).toEqual({ ok: true, value: '7' });
    await secret.rotate('the-third-key');
    secret.use();
    expect(await openSealed(first, ['a'])).toEqual({ ok: true, value: undefined });
  });

  it('is no signed text, and no signed text is a sealed one', async () => {
    const signed = await sign('7', ['a']);
    expect(await openSealed(signed.ok ? signed.value : '', ['a'])).toEqual({ ok: true, value: undefined });
    expect(await openSigned(await sealed(), ['a'])).toEqual({ ok: true, value: undefined });
  });

  it('is neither sealed nor opened while the key is unreadable', async () => {
    const first = await sealed();
    await using broken = await startServer(() => ({ status: 500 }));
    secret.use(broken.origin);
    const unavailable = { ok: false, failure: { code: 'dependency_unavailable' } };
    expect(await seal('7', ['a'])).toMatchObject(unavailable);
    expect(await openSealed(first, ['a'])).toMatchObject(unavailable);
  });
});
