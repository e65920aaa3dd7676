import { createSign, generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { parseObject } from '../../../../lib/runtime/json.ts';
import { parseTopicArn } from '../../../../lib/shops/platforms/shared/signatures/sns.ts';
import { testAuthority } from '../../../support/certificate.ts';
import { startServer } from '../../../support/http-server.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { runs } from '../../../support/samples.ts';
import { receiver, translator } from '../../../../lib/shops/platforms/commercetools/platform.ts';

const projectKey = 'nl-unittests-dev';
const topicArn = 'arn:aws:sns:eu-central-1:123456789012:returns';
const pem = (kind: 'rsa' | 'ec') => {
  const { privateKey } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};
const [privateKey, otherKey, ecKey] = [pem('rsa'), pem('rsa'), pem('ec')];
const { issue } = testAuthority('sns');
const certificates: Record<string, string> = {
  '/SimpleNotificationService-1.pem': issue('sns', { privateKey }).certificate,
  '/SimpleNotificationService-ended.pem': issue('sns', { privateKey, validTo: Date.now() - 1_000 }).certificate,
  '/SimpleNotificationService-ec.pem': issue('sns', { privateKey: ecKey }).certificate,
  '/elsewhere.pem': issue('sns', { privateKey }).certificate,
};
let confirmationStatus = 200;
const sns = await startServer(({ path }) => {
  if (path.startsWith('/?Action=ConfirmSubscription')) return { status: confirmationStatus, body: '<ok/>' };
  const body = certificates[path];
  return body === undefined ? { status: 404 } : { status: 200, body };
});
const store = await startPlatformSecret();
const entry = { apiUrl: 'https://api.invalid', authUrl: 'https://auth.invalid', clientId: 'c', clientSecret: 's' };
store.put({ [projectKey]: { ...entry, topicArn, snsOrigin: sns.origin }, bare: entry });
afterAll(async () => {
  await sns[Symbol.asyncDispose]();
  await store.close();
});

const message = {
  notificationType: 'Message',
  projectKey,
  id: '32ceddb2-3899-4115-9315-0be73d7d86cd',
  type: 'ReturnInfoAdded',
  resource: { typeId: 'order', id: 'b1ba81f3-1a43-4b8d-9a0c-5a1e4e6f0a11' },
};
const notification = {
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: topicArn,
  Message: JSON.stringify(message),
  Timestamp: '2026-11-22T08:00:00.000Z',
  SignatureVersion: '2',
  SigningCertURL: `${sns.origin}/SimpleNotificationService-1.pem`,
};
const confirmation = {
  ...notification,
  Type: 'SubscriptionConfirmation',
  Message: 'You have chosen to subscribe to the topic.',
  Token: '2336412f37',
  SubscribeURL: `${sns.origin}/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=2336412f37`,
};

/** Builds the signed text from AWS's documentation, independently of the code under test. */
const signed = (envelope: Record<string, string>, key = privateKey): Record<string, string> => {
  const names =
    envelope['Type'] === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const lines = names.map((name) => (name in envelope ? `${name}\n${envelope[name]}\n` : '')).join('');
  const signer = createSign(envelope['SignatureVersion'] === '1' ? 'RSA-SHA1' : 'RSA-SHA256');
  return { ...envelope, Signature: signer.update(lines).sign(key, 'base64') };
};

const { signal } = new AbortController();
const authenticate = async (envelope: unknown, source = projectKey) =>
  receiver.authenticate(
    { method: 'POST', source, query: {}, headers: {}, body: Buffer.from(JSON.stringify(envelope)) },
    signal,
  );

describe('commercetools SNS notification', () => {
  test.each(['1', '2'])('is authentic by its signature of version %s, and is translated', async (SignatureVersion) => {
    const envelope = signed({ ...notification, SignatureVersion, Subject: 'a subject' });
    expect(await authenticate(envelope)).toEqual({
      kind: 'authentic',
      delivery: { source: projectKey, topic: 'ReturnInfoAdded', deliveryId: message.id },
    });
    // The inbox stores the envelope. This source is unknown, so that no API is asked.
    const delivery = { source: 'elsewhere', topic: 'ReturnInfoAdded', body: envelope };
    expect(await translator.prepare(delivery, Date.now() + 1_000)).toMatchObject({ reason: 'unknown_source' });
  });

  test('is stored when its content is unknown', async () => {
    expect(await authenticate(signed({ ...notification, Message: 'hello' }))).toMatchObject({
      kind: 'authentic',
      delivery: { topic: 'unknown', deliveryId: expect.stringMatching(/^[\w-]{43}$/) },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ['another topic', signed({ ...notification, TopicArn: `${topicArn}-other` }), 'unknown_source'],
    [
      'another project',
      signed({ ...notification, Message: JSON.stringify({ ...message, projectKey: 'other' }) }),
      'unknown_source',
    ],
    ['another key', signed(notification, otherKey), 'signature_mismatch'],
    ['another message', { ...signed(notification), Message: '{}' }, 'signature_mismatch'],
    ['an unsigned subject', { ...signed(notification), Subject: 'x' }, 'signature_mismatch'],
    ['an unknown version', signed({ ...notification, SignatureVersion: '3' }), 'signature_mismatch'],
    ['no signature', notification, 'signature_missing'],
    [
      'a certificate on another host',
      signed({ ...notification, SigningCertURL: 'https://evil.example/SimpleNotificationService-1.pem' }),
      'signature_mismatch',
    ],
    [
      'a certificate at another path',
      signed({ ...notification, SigningCertURL: `${sns.origin}/elsewhere.pem` }),
      'signature_mismatch',
    ],
    [
      'a certificate behind a user name',
      signed({
        ...notification,
        SigningCertURL: `${sns.origin.replace('//', '//a:b@')}/SimpleNotificationService-1.pem`,
      }),
      'signature_mismatch',
    ],
  ])('is rejected with %s', async (_, envelope, reason) => {
    expect(await authenticate(envelope)).toEqual({ kind: 'rejected', reason });
  });

  test.each(['ended', 'ec', 'absent'])('is unverifiable with a certificate that is %s', async (name) => {
    const SigningCertURL = `${sns.origin}/SimpleNotificationService-${name}.pem`;
    expect(await authenticate(signed({ ...notification, SigningCertURL }))).toMatchObject({ kind: 'unverifiable' });
  });

  test('is rejected when the secret names no topic, and for an unknown project', async () => {
    expect(await authenticate(signed(notification), 'bare')).toEqual({ kind: 'rejected', reason: 'signature_missing' });
    expect(await authenticate(signed(notification), 'unknown')).toEqual({ kind: 'rejected', reason: 'unknown_source' });
  });

  test('is rejected when any character of its message has changed', async () => {
    const text = JSON.stringify(signed(notification));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: text.length - 1 }), fc.integer({ min: 1, max: 127 }), async (position, change) => {
        const bytes = Buffer.from(text);
        bytes[position] = ((bytes[position] ?? 0) ^ change) & 0x7f;
        const { kind } = await receiver.authenticate(
          { method: 'POST', source: projectKey, query: {}, headers: {}, body: bytes },
          signal,
        );
        // Some base64 characters have unused bits, and unsigned fields may change.
        const sentMessage = parseObject(bytes.toString())?.['Message'];
        expect(kind !== 'authentic' || sentMessage === notification.Message).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('commercetools SNS subscription', () => {
  const confirmations = () => sns.requests.filter(({ path }) => path.startsWith('/?Action')).length;

  test('is confirmed when the signature is valid', async () => {
    const before = confirmations();
    expect(await authenticate(signed(confirmation))).toEqual({ kind: 'handshake' });
    expect(confirmations()).toBe(before + 1);
    confirmationStatus = 503;
    expect(await authenticate(signed(confirmation))).toMatchObject({
      kind: 'unverifiable',
      reason: 'confirmation_status_503',
    });
    // SNS repeats its request. The receiver itself does not retry.
    expect(confirmations()).toBe(before + 2);
    confirmationStatus = 200;
  });

  test.each([
    ['without a valid signature', { ...signed(confirmation), Token: 'x' }],
    ['of another topic', signed({ ...confirmation, TopicArn: `${topicArn}-other` })],
    [
      'with a URL on another host',
      signed({ ...confirmation, SubscribeURL: 'https://evil.example/?Action=ConfirmSubscription' }),
    ],
    ['with an internal URL', signed({ ...confirmation, SubscribeURL: 'http://169.254.169.254/latest' })],
  ])('%s is not confirmed', async (_, envelope) => {
    const before = confirmations();
    expect(await authenticate(envelope)).toMatchObject({ kind: 'rejected' });
    expect(confirmations()).toBe(before);
  });

  test('acknowledges its end and does nothing', async () => {
    const before = confirmations();
    expect(await authenticate(signed({ ...confirmation, Type: 'UnsubscribeConfirmation' }))).toEqual({
      kind: 'handshake',
    });
    expect(confirmations()).toBe(before);
  });
});

test.each([
  [topicArn, 'https://sns.eu-central-1.amazonaws.com'],
  ['arn:aws-cn:sns:cn-north-1:123456789012:t', 'https://sns.cn-north-1.amazonaws.com.cn'],
  ['arn:aws:sns:evil.example/:123456789012:t', undefined],
  ['arn:aws:sqs:eu-central-1:123456789012:t', undefined],
  ['', undefined],
])('commercetools parseTopicArn maps the topic %s to %s', (arn, origin) => {
  expect(parseTopicArn(arn)?.origin).toBe(origin);
});
