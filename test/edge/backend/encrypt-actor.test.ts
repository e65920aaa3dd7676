import { afterAll, describe, expect, it } from 'vitest';
import { startEngines } from '../../shops/inbox/engines.ts';
import { createActorKeyPair, decryptActor, encryptActor } from '../../../lib/store/personal/encrypt-actor.ts';

const engines = await startEngines();
afterAll(engines.stop);

const { publicKey, text } = createActorKeyPair();
const known = new Map([[text.ref, text.text]]);
const seal = (onBehalfOf: string) => encryptActor({ clientId: 'shop', onBehalfOf }, publicKey);

describe('encrypted actor', () => {
  it.each(['a', 'agent-7', `shop/${'b'.repeat(200)}`])('decrypts with the key of its return: %s', (onBehalfOf) => {
    const sealed = seal(onBehalfOf);
    expect(JSON.stringify(sealed)).not.toContain(onBehalfOf === 'a' ? '"a"' : onBehalfOf);
    expect(decryptActor(sealed, known)).toEqual({ clientId: 'shop', onBehalfOf });
  });

  it('reveals neither that two names are equal nor which one is longer', () => {
    const [one, same, longer] = [seal('ada'), seal('ada'), seal('a-longer-name')];
    expect(one.sealed).not.toBe(same.sealed);
    expect(one.sealed).toHaveLength(longer.sealed?.length ?? 0);
  });

  it('has a mark when the key is erased, and none when the client acted for itself', () => {
    expect(decryptActor(seal('ada'), new Map())).toEqual({ clientId: 'shop', erased: true });
    expect(decryptActor({ clientId: 'shop' }, new Map())).toEqual({ clientId: 'shop' });
  });

  it('does not decrypt with another key, or after a change', () => {
    const other = createActorKeyPair().text;
    expect(decryptActor(seal('ada'), new Map([[other.ref, other.text]]))).toEqual({ clientId: 'shop' });
    const sealed = seal('ada').sealed ?? '';
    const changed = `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;
    expect(decryptActor({ clientId: 'shop', sealed: changed }, known)).toEqual({ clientId: 'shop' });
    expect(decryptActor({ clientId: 'shop', sealed: 'none' }, known)).toEqual({ clientId: 'shop' });
  });

  it('has the id of a user in clear, and the name from another place', () => {
    const nameDigest = 'd7'.repeat(32);
    const actor = encryptActor({ clientId: 'console', user: { id: 'u7', nameDigest } }, publicKey);
    expect(actor).toEqual({ clientId: 'console', user: { id: 'u7', nameDigest } });
    expect(decryptActor(actor, known)).toEqual({ clientId: 'console', user: { id: 'u7' } });
    const named = { clientId: 'console', user: { id: 'u7', name: 'Ana Silva' } };
    expect(decryptActor(actor, known, new Map([[nameDigest, { name: 'Ana Silva' }]]))).toEqual(named);
    const erased = { clientId: 'console', user: { id: 'u7', erased: true } };
    expect(decryptActor(actor, known, new Map([[nameDigest, { erased: true as const }]]))).toEqual(erased);
  });
});
