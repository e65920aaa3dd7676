import { LambdaClient } from '@aws-sdk/client-lambda';
import { SignatureV4 } from '@smithy/signature-v4';
import { awsSuffix } from '../../runtime/address.ts';
import type { DeployedStage } from './stack-outputs.ts';

/* Calls of the checks of a deployed stage, and what a check finds. */

/** What a check found, with the reason in one sentence. */
export type Finding = { readonly result: 'pass' | 'FAIL' | 'skipped'; readonly why: string };

export const passed = (why: string): Finding => ({ result: 'pass', why });
export const failed = (why: string): Finding => ({ result: 'FAIL', why });

/** Each call ends after this time. No call by hand is repeated: the command can be run again. */
export const timeoutMs = 15_000;
export const clientSettings = {
  maxAttempts: 3,
  requestHandler: { requestTimeout: timeoutMs, throwOnRequestTimeout: true },
};

type Call = {
  readonly service: 'apigateway' | 'iam' | 'sts';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
};

/** The variable that replaces an endpoint. https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html */
const endpointVariables = { apigateway: 'APIGATEWAYV2', iam: 'IAM', sts: 'STS' } as const;

/**
 * Returns the origin of a service and the region of its signatures. IAM has one endpoint for each partition.
 * https://docs.aws.amazon.com/general/latest/gr/iam-service.html
 */
const endpointOf = (service: Call['service'], region: string): readonly [string, string] => {
  const own = process.env[`AWS_ENDPOINT_URL_${endpointVariables[service]}`] || process.env['AWS_ENDPOINT_URL'];
  const isChina = region.startsWith('cn-');
  const isGov = region.startsWith('us-gov-');
  const global = isChina ? 'cn-north-1' : isGov ? 'us-gov-west-1' : 'us-east-1';
  const suffix = awsSuffix(region);
  if (service !== 'iam') return [own || `https://${service}.${region}.${suffix}`, region];
  return [own || `https://iam${isChina ? '.cn-north-1' : isGov ? '.us-gov' : ''}.${suffix}`, global];
};

/**
 * Sends a signed request to a service for which the bundle has no client, and returns the text of its answer.
 *
 * @throws {Error} with the status and the code of AWS when it rejects the call. The status is also the cause of the error
 */
export const callAws = async (
  { region }: DeployedStage,
  { service, method, path, query = {}, form }: Call,
): Promise<string> => {
  const [origin, signingRegion] = endpointOf(service, region);
  const { protocol, hostname, host, port } = new URL(origin);
  const { credentials, sha256 } = new LambdaClient({ region }).config;
  const signer = new SignatureV4({ service, region: signingRegion, credentials, sha256 });
  const body = form === undefined ? undefined : new URLSearchParams(form).toString();
  const { headers } = await signer.sign({
    method,
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path,
    query: { ...query },
    headers: { host, ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(body !== undefined && { body }),
  });
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  const { host: _, ...sent } = headers;
  const response = await fetch(`${origin}${path}${search}`, {
    method,
    headers: sent,
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (response.ok) return text;
  const code = /<Code>([^<]+)</.exec(text)?.[1] ?? response.headers.get('x-amzn-errortype') ?? '';
  const reason = `${service} ${form?.['Action'] ?? path} answers ${response.status} ${code}`.trim();
  throw new Error(reason, { cause: response.status });
};

/** Whether AWS rejected a call of `callAws` for sure. Without an answer, or after a 5xx, it may have done its work. */
export const isRejected = ({ cause }: Error): boolean => typeof cause === 'number' && cause < 500;

/** Returns why a call failed, in one line. `fetch` has the reason in the cause of its error. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { name, message, cause } = error;
  const inner = cause instanceof Error ? ` (${cause.message || cause.name})` : '';
  return `${name === 'Error' ? '' : `${name}: `}${message}${inner}`;
};

/** Calls an action of IAM. */
export const iam = async (
  stage: DeployedStage,
  Action: string,
  form: Readonly<Record<string, string>>,
): Promise<string> =>
  callAws(stage, { service: 'iam', method: 'POST', path: '/', form: { Action, Version: '2010-05-08', ...form } });

/** Calls an action of STS. */
export const sts = async (
  stage: DeployedStage,
  Action: string,
  form: Readonly<Record<string, string>>,
): Promise<string> =>
  callAws(stage, { service: 'sts', method: 'POST', path: '/', form: { Action, Version: '2011-06-15', ...form } });

/** Returns the text of the first element of an XML document with a name; empty without one. */
export const elementIn = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
