import { errorName } from '../../../runtime/log.ts';

/** The reason of a failed call to AWS as text, and its remedy. */
export type AwsFailure = {
  readonly detail: string;
  readonly remedy: string;
  /** Whether the endpoint does not support this call, as a local engine may not. */
  readonly unsupported: boolean;
};

/** The call: the IAM action that it needs, and the variable that names the resource. */
export type AwsCall = { readonly action: string; readonly variable: string };

type Words = (called: AwsCall) => readonly [detail: string, remedy: string];

const kinds: readonly (readonly [RegExp, Words])[] = [
  [
    /AccessDenied|NotAuthorized/,
    ({ action }) => ['access is denied', `Grant ${action} on this resource to the role that runs the doctor.`],
  ],
  [
    /ResourceNotFound|QueueDoesNotExist|NonExistentQueue/,
    ({ variable }) => ['it does not exist', `Check ${variable}, the account and the region.`],
  ],
  [
    /^CredentialsProviderError$|ExpiredToken|UnrecognizedClient|InvalidSignature|InvalidClientTokenId/,
    () => ['the AWS credentials are missing or invalid', 'Log in to AWS, or set AWS_PROFILE or AWS_ACCESS_KEY_ID.'],
  ],
  [/^(Timeout|Abort)Error$/, () => ['no answer in time', 'Check the network, VPC endpoints and security groups.']],
  [/Throttl|RequestLimit/, () => ['AWS throttles the call', 'Run the doctor again later.']],
];

const unsupported = /^(UnknownOperation|UnsupportedOperation|NotImplemented|InvalidAction)/;

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? error.cause : error;

/** Explains a failed call by error names and codes. Quotes no message, because a message may hold data. */
export const explainAwsFailure = (error: unknown, called: AwsCall): AwsFailure => {
  const names = [errorName(error), errorName(causeOf(error))];
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const network = /^E[A-Z_]{2,30}$/.test(code) ? code : undefined;
  if (network !== undefined) {
    return {
      detail: `AWS is unreachable (${network})`,
      remedy: 'Check the region, the network, VPC endpoints and AWS_ENDPOINT_URL.',
      unsupported: false,
    };
  }
  const found = kinds.find(([pattern]) => names.some((name) => pattern.test(name)));
  const [detail, remedy] = found?.[1](called) ?? [
    `the call failed (${names[0]})`,
    `Check ${called.variable} and the status of AWS.`,
  ];
  return { detail, remedy, unsupported: names.some((name) => unsupported.test(name)) };
};
