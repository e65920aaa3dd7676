import { awsSuffix } from '../../runtime/address.ts';
import { type SigningClient, signRequest } from './sign-request.ts';

type Invocation = {
  readonly arn: string;
  readonly event: object;
  /** The origin from the variable of the SDK; undefined for that of AWS. */
  readonly endpoint: string | undefined;
};

/**
 * Returns the signed request that invokes a function and waits for its result. A failed function answers 200 with
 * `x-amz-function-error`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export const signInvocation = async (client: SigningClient, { arn, event, endpoint }: Invocation) => {
  const region = arn.split(':')[3] ?? '';
  const { origin } = new URL(endpoint ?? `https://lambda.${region}.${awsSuffix(region)}`);
  return signRequest(client, {
    service: 'lambda',
    region,
    url: `${origin}/2015-03-31/functions/${encodeURIComponent(arn)}/invocations`,
    headers: { 'x-amz-invocation-type': 'RequestResponse' },
    body: event,
  });
};
