import { SignatureV4 } from '@smithy/signature-v4';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { awsSuffix } from '../../runtime/address.ts';

/** The client of Secrets Manager, which has the credentials of the function. */
export type SigningClient = Pick<SecretsManagerClient, 'config'>;

type Invocation = {
  readonly arn: string;
  readonly event: object;
  /** The origin from the variable of the SDK; undefined for that of AWS. */
  readonly endpoint: string | undefined;
};

/**
 * Returns the signed request that invokes a function and waits for its result. A failed function answers 200 with
 * `x-amz-function-error`. It is signed here, because the SDK's client for Lambda would be the largest part of a bundle.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export const signInvocation = async ({ config }: SigningClient, { arn, event, endpoint }: Invocation) => {
  const region = arn.split(':')[3] ?? '';
  const base = new URL(endpoint ?? `https://lambda.${region}.${awsSuffix(region)}`);
  const request = {
    method: 'POST' as const,
    protocol: base.protocol,
    hostname: base.hostname,
    ...(base.port !== '' && { port: Number(base.port) }),
    path: `/2015-03-31/functions/${encodeURIComponent(arn)}/invocations`,
    headers: { host: base.host, 'content-type': 'application/json', 'x-amz-invocation-type': 'RequestResponse' },
    query: {},
    body: JSON.stringify(event),
  };
  const { credentials, sha256 } = config;
  const signer = new SignatureV4({ service: 'lambda', region, credentials, sha256 });
  const { headers } = await signer.sign(request);
  return { ...request, headers, url: `${base.origin}${request.path}` };
};
