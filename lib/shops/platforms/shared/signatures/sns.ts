import { verify, X509Certificate, type KeyObject } from 'node:crypto';
import { parseObject, type JsonObject } from '../../../../runtime/json.ts';
import { defaultAgent } from '../../../../access/net/agent.ts';
import { send } from '../../../../access/net/request.ts';
import { TransportError } from '../../../../access/net/transport-error.ts';
import type { VerificationResult } from '../../platform.ts';
import { fetchKeys, KeysUnavailable } from './public-keys.ts';

/*
 * Verifies what Amazon SNS posts to an HTTPS endpoint: a JSON envelope. The certificate of its key is at SNS's own
 * address in the topic's region.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */

/** The data that verifies a topic's messages. */
export type SnsTopic = {
  readonly arn: string;
  /** The origin of SNS in the region of the topic. */
  readonly origin: string;
};

const arnForm = /^arn:aws(-cn)?:sns:([a-z0-9-]{1,30}):\d{12}:[\w-]{1,256}$/;

/** Parses the ARN of a topic; undefined for other text. */
export const parseTopicArn = (arn: string): SnsTopic | undefined => {
  const [, china, region] = arnForm.exec(arn) ?? [];
  return region === undefined
    ? undefined
    : { arn, origin: `https://sns.${region}.amazonaws.com${china === undefined ? '' : '.cn'}` };
};

const certificatePath = /^\/SimpleNotificationService-[0-9A-Za-z]{1,64}\.pem$/;
const confirmTimeoutMs = 2_500;

type UnverifiedResult = Exclude<VerificationResult, { readonly kind: 'authentic' }>;

/** Returns an address at SNS's own origin. Certificates and confirmations are at no other. */
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

/** Returns the signed text: fields with their names, each on its own line. Absent fields are left out. */
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
  // This is before any fetch: a message of another topic is not from our subscription.
  if (envelope['TopicArn'] !== arn) return { kind: 'rejected', reason: 'unknown_source' };
  const certificate = urlAtOrigin(envelope['SigningCertURL'], origin);
  if (certificate === undefined || !certificatePath.test(certificate.pathname) || certificate.search !== '')
    return { kind: 'rejected', reason: 'signature_mismatch' };
  try {
    const key = await fetchKeys(certificate.href, readCertificateKey, { signal });
    return isSigned(envelope, key) ? 'proven' : { kind: 'rejected', reason: 'signature_mismatch' };
  } catch (error) {
    if (error instanceof KeysUnavailable) return { kind: 'unverifiable', reason: `certificate_${error.reason}` };
    throw error;
  }
};

/** Confirms a subscription at the address in the verified message. SNS repeats the message until then. */
const confirmSubscription = async (
  envelope: JsonObject,
  origin: string,
  signal: AbortSignal,
): Promise<UnverifiedResult> => {
  const url = urlAtOrigin(envelope['SubscribeURL'], origin)?.href;
  if (url === undefined) return { kind: 'rejected', reason: 'signature_mismatch' };
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

/** A verified message of a topic, or another result. */
type SnsVerificationResult = { readonly kind: 'message'; readonly message: string } | UnverifiedResult;

/**
 * Verifies a message of a topic.
 * It confirms a subscription to the topic after it has verified that SNS sent the request. The topic's policy, and the
 * operator who put the topic into the secret, decide who may subscribe. It acknowledges the end of a subscription
 * without action.
 */
export const verifySns = async (body: Buffer, topic: SnsTopic, signal: AbortSignal): Promise<SnsVerificationResult> => {
  const envelope = parseObject(body.toString());
  if (envelope?.['Signature'] === undefined) return { kind: 'rejected', reason: 'signature_missing' };
  const proof = await verifySignature(envelope, topic, signal);
  if (proof !== 'proven') return proof;
  const { Type: type, Message: message } = envelope;
  if (type === 'SubscriptionConfirmation') return confirmSubscription(envelope, topic.origin, signal);
  if (type === 'Notification' && typeof message === 'string') return { kind: 'message', message };
  return { kind: 'handshake' };
};
