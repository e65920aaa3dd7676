import { verify, X509Certificate, type KeyObject } from 'node:crypto';
import { parseObject, type JsonObject } from '../../../runtime/json.ts';
import { defaultAgent } from '../../../net/agent.ts';
import { send } from '../../../net/request.ts';
import { TransportError } from '../../../net/transport-error.ts';
import type { VerificationResult } from '../../platform.ts';
import { fetchKeys, KeysUnavailable } from './public-keys.ts';

/*
 * What Amazon SNS posts to an HTTPS endpoint: an envelope in JSON, signed by a key whose certificate lies at SNS's own
 * address in the topic's region.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */

/** What a topic's messages are believed by. */
export type SnsTopic = {
  readonly arn: string;
  /** Where SNS is, in the region of the topic. */
  readonly origin: string;
};

const arnForm = /^arn:aws(-cn)?:sns:([a-z0-9-]{1,30}):\d{12}:[\w-]{1,256}$/;

/** The topic of that name; nothing for what is no name of one. */
export const parseTopicArn = (arn: string): SnsTopic | undefined => {
  const [, china, region] = arnForm.exec(arn) ?? [];
  return region === undefined
    ? undefined
    : { arn, origin: `https://sns.${region}.amazonaws.com${china === undefined ? '' : '.cn'}` };
};

const certificatePath = /^\/SimpleNotificationService-[0-9A-Za-z]{1,64}\.pem$/;
const confirmTimeoutMs = 2_500;

type UnverifiedResult = Exclude<VerificationResult, { readonly kind: 'authentic' }>;

/** Neither a certificate nor a confirmation lies anywhere but at SNS's own address. */
const urlAtOrigin = (value: unknown, origin: string): URL | undefined => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && url.origin === origin && `${url.username}${url.password}` === '' ? url : undefined;
};

const readCertificateKey = (body: Buffer): KeyObject | undefined => {
  try {
    const { publicKey, validToDate } = new X509Certificate(body);
    return publicKey.asymmetricKeyType === 'rsa' && validToDate.getTime() > Date.now() ? publicKey : undefined;
  } catch {
    return undefined;
  }
};

const notificationFields = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const;
const confirmationFields = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const;

/** What is signed: some fields by their names, each on a line of its own; one that is not there is left out. */
const signedText = (envelope: JsonObject): string => {
  const names = envelope['Type'] === 'Notification' ? notificationFields : confirmationFields;
  return names
    .filter((name) => typeof envelope[name] === 'string')
    .map((name) => `${name}\n${String(envelope[name])}\n`)
    .join('');
};

const digests: Readonly<Record<string, string>> = { '1': 'sha1', '2': 'sha256' };

const isSigned = (envelope: JsonObject, key: KeyObject): boolean => {
  const { SignatureVersion: version, Signature: signature } = envelope;
  const digest = typeof version === 'string' && Object.hasOwn(digests, version) ? digests[version] : undefined;
  if (digest === undefined || typeof signature !== 'string') return false;
  return verify(digest, Buffer.from(signedText(envelope)), key, Buffer.from(signature, 'base64'));
};

const verifySignature = async (
  envelope: JsonObject,
  { arn, origin }: SnsTopic,
  signal: AbortSignal,
): Promise<UnverifiedResult | 'proven'> => {
  // Before anything is fetched: whoever names another topic is not the one that was subscribed to.
  if (envelope['TopicArn'] !== arn) return { kind: 'refused', reason: 'unknown_source' };
  const certificate = urlAtOrigin(envelope['SigningCertURL'], origin);
  if (certificate === undefined || !certificatePath.test(certificate.pathname) || certificate.search !== '')
    return { kind: 'refused', reason: 'signature_mismatch' };
  try {
    const key = await fetchKeys(certificate.href, readCertificateKey, { signal });
    return isSigned(envelope, key) ? 'proven' : { kind: 'refused', reason: 'signature_mismatch' };
  } catch (error) {
    if (error instanceof KeysUnavailable) return { kind: 'unverifiable', reason: `certificate_${error.reason}` };
    throw error;
  }
};

/** Says yes to a subscription, at the address that came with the proven question. SNS asks again until it is told. */
const confirmSubscription = async (
  envelope: JsonObject,
  origin: string,
  signal: AbortSignal,
): Promise<UnverifiedResult> => {
  const url = urlAtOrigin(envelope['SubscribeURL'], origin)?.href;
  if (url === undefined) return { kind: 'refused', reason: 'signature_mismatch' };
  const agent = defaultAgent();
  try {
    const { status } = await send({
      agent,
      method: 'GET',
      url,
      headers: {},
      timeoutMs: confirmTimeoutMs,
      signal,
      maxBytes: 64 * 1024,
    });
    return status === 200 ? { kind: 'handshake' } : { kind: 'unverifiable', reason: `confirmation_status_${status}` };
  } catch (error) {
    if (error instanceof TransportError) return { kind: 'unverifiable', reason: `confirmation_${error.reason}` };
    throw error;
  }
};

/** A message of a topic's that is proven to be SNS's, or what else came of it. */
type SnsVerificationResult = { readonly kind: 'message'; readonly message: string } | UnverifiedResult;

/**
 * Judges what was posted in the name of a topic. A subscription to it is confirmed, once it is proven that SNS asks: by
 * whom it was made is for the topic's policy to say, and for whoever named the topic in the secret. That one was ended is
 * heard and left at that.
 */
export const verifySns = async (body: Buffer, topic: SnsTopic, signal: AbortSignal): Promise<SnsVerificationResult> => {
  const envelope = parseObject(body.toString());
  if (envelope?.['Signature'] === undefined) return { kind: 'refused', reason: 'signature_missing' };
  const proof = await verifySignature(envelope, topic, signal);
  if (proof !== 'proven') return proof;
  const { Type: type, Message: message } = envelope;
  if (type === 'SubscriptionConfirmation') return confirmSubscription(envelope, topic.origin, signal);
  if (type === 'Notification' && typeof message === 'string') return { kind: 'message', message };
  return { kind: 'handshake' };
};
