import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto';
import type { Actor, ActorUser, EncryptedActor, NamedUser } from '../../domain/returns/model/actor.ts';
import { actorKeyRef, type SaltedText } from './personal.ts';
import type { UserName } from './user-names.ts';

/*
 * Encrypts the person that a client acts for, so that the name can be erased. A salted digest would need a row for each
 * text: two more write units for every command. So each return has a key pair. The public key is a part of the return,
 * and each writer of an entry encrypts to it. The private key is a personal text of the return. An erasure deletes it,
 * and no encrypted name can be decrypted again, including those of later entries.
 */

const curve = { kty: 'OKP', crv: 'X25519' } as const;
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Names are padded to a multiple of it, so that the ciphertext reveals little of their length. */
const blockBytes = 32;

/** Creates the key pair of a new return. The private key is a personal text of the return. */
export const createActorKeyPair = (): { readonly publicKey: string; readonly text: SaltedText } => {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const { d = '' } = privateKey.export({ format: 'jwk' });
  return { publicKey: x, text: { ref: actorKeyRef, salt: '', text: `${x}.${d}` } };
};

/** Returns whether a stored text is the key pair of a public key. */
export const isActorKeyPair = (text: string, publicKey: string): boolean => {
  const [x = '', d = '', ...more] = text.split('.');
  if (x !== publicKey || more.length > 0 || Buffer.from(d, 'base64url').toString('base64url') !== d) return false;
  try {
    const key = createPublicKey(createPrivateKey({ key: { ...curve, x, d }, format: 'jwk' }));
    return key.export({ format: 'jwk' }).x === publicKey;
  } catch {
    return false;
  }
};

/** Derives key and nonce of one encryption. Its ephemeral key pair is used once. */
const deriveSecrets = (shared: Buffer, ephemeral: Buffer, recipient: Buffer) => {
  const salt = Buffer.concat([ephemeral, recipient]);
  const bytes = Buffer.from(hkdfSync('sha256', shared, salt, 'returns-actor', keyBytes + nonceBytes));
  return { key: bytes.subarray(0, keyBytes), nonce: bytes.subarray(keyBytes) };
};

const padded = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes, Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes)]);
};

const encrypt = (text: string, publicKey: string): string => {
  const pair = generateKeyPairSync('x25519');
  const ephemeral = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const recipient = createPublicKey({ key: { ...curve, x: publicKey }, format: 'jwk' });
  const shared = diffieHellman({ privateKey: pair.privateKey, publicKey: recipient });
  const { key, nonce } = deriveSecrets(shared, ephemeral, Buffer.from(publicKey, 'base64url'));
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([ephemeral, cipher.update(padded(text)), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64url');
};

const decrypt = (sealed: string, keyPair: string): string => {
  const [x = '', d = ''] = keyPair.split('.');
  const bytes = Buffer.from(sealed, 'base64url');
  const ephemeral = bytes.subarray(0, keyBytes);
  const publicKey = createPublicKey({ key: { ...curve, x: ephemeral.toString('base64url') }, format: 'jwk' });
  const privateKey = createPrivateKey({ key: { ...curve, x, d }, format: 'jwk' });
  const shared = diffieHellman({ privateKey, publicKey });
  const { key, nonce } = deriveSecrets(shared, ephemeral, Buffer.from(x, 'base64url'));
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const text = Buffer.concat([decipher.update(bytes.subarray(keyBytes, -tagBytes)), decipher.final()]);
  return text.toString().replace(/\0+$/, '');
};

/** The actor of a call, with the digest of the user's name. */
type NamedActor = Omit<Actor, 'user'> & { readonly user?: NamedUser };

/** The actor as the history of a return stores it. Without a key the history stores the client and the user only. */
export const encryptActor = (
  { clientId, user, via, onBehalfOf }: NamedActor,
  actorKey: string | undefined,
): EncryptedActor => ({
  clientId,
  ...(user !== undefined && { user }),
  ...(via !== undefined && { via }),
  ...(onBehalfOf !== undefined && actorKey !== undefined && { sealed: encrypt(onBehalfOf, actorKey) }),
});

/** An actor for readers. `erased` marks that an erasure removed the person that the client acted for. */
type ActorView = Omit<Actor, 'user'> & { readonly user?: ActorUser & UserName; readonly erased?: true };

const noNames: ReadonlyMap<string, UserName> = new Map();

/**
 * Decrypts an actor for readers, and adds the name of the user.
 *
 * @param texts the personal texts of the return, by reference
 * @param userNames the names of users, by digest
 */
export const decryptActor = (
  { clientId, sealed, user, via }: EncryptedActor,
  texts: ReadonlyMap<string, string>,
  userNames = noNames,
): ActorView => {
  const named = user && { id: user.id, ...userNames.get(user.nameDigest ?? '') };
  const known = { clientId, ...(named !== undefined && { user: named }), ...(via !== undefined && { via }) };
  if (sealed === undefined) return known;
  const keyPair = texts.get(actorKeyRef);
  if (keyPair === undefined) return { ...known, erased: true };
  try {
    return { ...known, onBehalfOf: decrypt(sealed, keyPair) };
  } catch {
    // The entry was tampered with: verifyHistory reports it, and the history stays readable.
    return known;
  }
};

/**
 * Makes the view of an entry's actor: as it is stored, with fields that the hash does not cover. These are the person
 * that the client acted for, and the name of the user.
 */
export const entryActorView = (
  actor: EncryptedActor,
  texts: ReadonlyMap<string, string>,
  userNames: ReadonlyMap<string, UserName>,
): EncryptedActor & ActorView => {
  const shown = decryptActor(actor, texts, userNames);
  return { ...actor, ...shown, ...(actor.user && { user: { ...actor.user, ...shown.user } }) };
};
