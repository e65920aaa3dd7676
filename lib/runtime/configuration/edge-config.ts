import { bucketOrigin, withoutEndSlashes } from '../address.ts';
import { lambdaEndpoint, listOf, required, url, wholeNumber } from './environment.ts';
import { isTimeZone } from '../instant.ts';

/*
 * The configuration of what answers HTTP: the tokens of callers and users, the documents, the console and the page for
 * withdrawals. As in config.ts, a function reads a group when it loads.
 */

/** The issuer of callers' tokens. The OpenAPI document names its token endpoint. */
export const contractConfig = () => ({ issuer: url('TOKEN_ISSUER') });

/** The address of the documents of the API; undefined when the parameter DocsUrl is `none`. */
export const docsConfig = () => ({
  docsUrl: (process.env['DOCS_URL'] || 'none') === 'none' ? undefined : url('DOCS_URL'),
});

/** The claims with scopes that the JWT authorizer of an HTTP API reads. */
const gatewayScopeClaims: ReadonlySet<string> = new Set(['scope', 'scp']);

const scopeClaim = (): string | undefined => {
  const claim = process.env['SCOPE_CLAIM'] || undefined;
  const byFunction = process.env['TOKEN_AUTHORIZER'] === 'function';
  if (claim === undefined || byFunction || gatewayScopeClaims.has(claim)) return claim;
  throw new Error(
    'environment variable SCOPE_CLAIM must be scope or scp with the authorizer of the gateway: set TokenAuthorizer to function for other claims',
  );
};

/** How the access tokens of callers name the client and the scopes. */
export const tokenConfig = () => ({
  /** The claim with the client id: `client_id`, `azp`, `appid` or `cid`, depending on the issuer. */
  clientClaim: process.env['CLIENT_CLAIM'] || 'client_id',
  /** The text before a scope of this API in a token, such as `returns.example/` at Cognito. */
  scopePrefix: process.env['SCOPE_PREFIX'] ?? '',
  /** The claim with the scopes; undefined for `scope`, else `scp`. */
  scopeClaim: scopeClaim(),
});

/** The users of the `web` API: the clients that they sign in with, and the claims that name them. */
export const usersConfig = () => ({
  consoleClients: new Set(listOf('CONSOLE_CLIENTS')),
  userClaim: process.env['USER_CLAIM'] || 'sub',
  userNameClaim: process.env['USER_NAME_CLAIM'] || 'name',
});

/** The origin of the bucket of evidence files, for browsers; undefined in connected mode, which has no such bucket. */
const evidenceOrigin = (): string | undefined => {
  const { EVIDENCE_BUCKET: bucket, AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: region = '' } = process.env;
  if (!bucket) return undefined;
  return endpoint ? URL.parse(endpoint)?.origin : bucketOrigin(bucket, region);
};

/** The console: how people sign in, and the origins that its script may connect to. */
export const consoleConfig = () => ({
  issuer: required('TOKEN_ISSUER'),
  // People sign in with the first client. The others are those of a change of clients.
  clientId: listOf('CONSOLE_CLIENTS')[0] ?? '',
  audience: process.env['CONSOLE_AUDIENCE'] ?? '',
  scopePrefix: process.env['SCOPE_PREFIX'] ?? '',
  mode: process.env['EVIDENCE_BUCKET'] ? ('standalone' as const) : ('connected' as const),
  issuerOrigin: URL.parse(required('TOKEN_ISSUER'))?.origin ?? '',
  origins: listOf('CONSOLE_ORIGINS'),
  evidenceOrigin: evidenceOrigin(),
});

/** What the function for agents knows of the deployment. */
export const agentConfig = () => ({
  issuer: required('TOKEN_ISSUER'),
  scopePrefix: process.env['SCOPE_PREFIX'] ?? '',
  /** The address of the console for links, without a slash at its end; undefined for no links. */
  consoleUrl: process.env['CONSOLE_URL'] ? withoutEndSlashes(url('CONSOLE_URL')) : undefined,
  /** Whether a person must confirm commands that pay or reject. */
  asksPerson: process.env['MCP_ASKS_PERSON'] === 'on',
  /** The commands that the agents of one caller may send in a minute. */
  commandLimit: wholeNumber('MCP_COMMAND_LIMIT'),
});

/** The tokens that the authorizer function accepts. An issuer may end with a slash, and is compared as it is. */
export const issuerConfig = () => {
  url('TOKEN_ISSUER');
  const consoleAudience = process.env['CONSOLE_AUDIENCE'] ?? '';
  return {
    issuer: required('TOKEN_ISSUER'),
    audiences: required('TOKEN_AUDIENCE').split(','),
    /** The audiences of tokens of users; none without the parameter Console. */
    userAudiences: consoleAudience === '' ? [] : [consoleAudience],
  };
};

/** An origin of a Content-Security-Policy, without a character that could begin another directive. */
const frameAncestor = /^https:\/\/(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?$/;

/** The page for withdrawals: the shop, who may show the page in a frame, the zone of receipts, and if they are mailed. */
export const withdrawPageConfig = () => {
  const timeZone = process.env['WITHDRAWAL_TIME_ZONE'] || 'UTC';
  if (!isTimeZone(timeZone))
    throw new Error('environment variable WITHDRAWAL_TIME_ZONE must be a time zone such as Europe/Berlin');
  const listed = process.env['WITHDRAW_PAGE_FRAME_ANCESTORS'] || 'none';
  const frameAncestors = listed === 'none' ? [] : listed.split(',');
  if (!frameAncestors.every((origin) => frameAncestor.test(origin)))
    throw new Error(
      'environment variable WITHDRAW_PAGE_FRAME_ANCESTORS must be none, or https origins separated by commas',
    );
  return {
    shop: process.env['SHOP_NAME'] || undefined,
    frameAncestors,
    timeZone,
    mailsReceipts: process.env['RECEIPT_MAILS'] === 'on',
  };
};

/** What messages to customers name: the trader, and where goods are sent to. */
export const messageConfig = () => ({
  shop: process.env['SHOP_NAME'] || undefined,
  returnAddress: process.env['RETURN_ADDRESS'] || undefined,
});

/** The functions that the page for withdrawals invokes, and the key that signs its checks. */
export const withdrawFunctionsConfig = () => ({
  declareWithdrawalArn: required('DECLARE_WITHDRAWAL_ARN'),
  getWithdrawalReceiptArn: required('GET_WITHDRAWAL_RECEIPT_ARN'),
  signingSecretId: required('WITHDRAW_KEY_ID'),
  endpoint: lambdaEndpoint(),
});

/** The function that the public address of the policy invokes. */
export const policyTextFunctionConfig = () => ({
  getPolicyTextArn: required('GET_POLICY_TEXT_ARN'),
  endpoint: lambdaEndpoint(),
});
