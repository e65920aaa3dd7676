import { errorName } from '../../runtime/log.ts';

/** Why a call to AWS failed, in words, and what fixes it. */
export type AwsFailure = {
  readonly detail: string;
  readonly remedy: string;
  /** Whether whoever answered does not offer this call, as an engine on one machine may not. */
  readonly unsupported: boolean;
};

/** What was called: the action that a role must permit, and the variable that names the resource. */
export type AwsCall = { readonly action: string; readonly variable: string };

type Words = (called: AwsCall) => readonly [detail: string, remedy: string];

const kinds: readonly (readonly [RegExp, Words])[] = [
  [
    /AccessDenied|NotAuthorized/,
    ({ action }) => ['access is denied', `Permit ${action} on this resource to the role that runs the doctor.`],
  ],
  [
    /ResourceNotFound|QueueDoesNotExist|NonExistentQueue/,
    ({ variable }) => ['it does not exist', `Check ${variable}, the account and the region.`],
  ],
  [
    /^CredentialsProviderError$|ExpiredToken|UnrecognizedClient|InvalidSignature|InvalidClientTokenId/,
    () => ['the AWS credentials are missing or not valid', 'Log in to AWS, or set AWS_PROFILE or AWS_ACCESS_KEY_ID.'],
  ],
  [/^(Timeout|Abort)Error$/, () => ['no answer in time', 'Check the network, VPC endpoints and security groups.']],
  [/Throttl|RequestLimit/, () => ['AWS throttles the call', 'Run the doctor again later.']],
];

const unsupported = /^(UnknownOperation|UnsupportedOperation|NotImplemented|InvalidAction)/;

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? error.cause : error;

/** What the SDK, the network or a stored object's bucket says of a failed call. Quotes no message: it may hold data. */
export const explainAwsFailure = (error: unknown, called: AwsCall): AwsFailure => {
  const names = [errorName(error), errorName(causeOf(error))];
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const network = /^E[A-Z_]{2,30}$/.test(code) ? code : undefined;
  if (network !== undefined) {
    return {
      detail: `AWS is not reached (${network})`,
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
