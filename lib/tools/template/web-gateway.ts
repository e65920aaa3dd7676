import { basePath } from '../../contract/operation.ts';
import { agentPaths, servesAgentUsers } from './agent-gateway.ts';
import { operationLimits, operationPaths, publicLimits } from './gateway.ts';
import { withdrawCondition } from './permissions/secrets.ts';
import { customerKey } from './resources/account-template.ts';
import type { TemplatePart } from './resources/cloudformation.ts';
import { servesConsole } from './token-parameters.ts';
import { hasFunction, policyPageCondition } from './functions.ts';
import { type Offer, offersAll } from './offer.ts';
import { opened, securitySchemes } from './routes.ts';

/* The `web` HTTP API, for browsers: public pages, and the console. */

const noValue = { Ref: 'AWS::NoValue' };

/** Returns members that an object has only when the `web` API serves users. */
const forUsers = <Member extends object>(members: Readonly<Record<string, Member>>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, { 'Fn::If': [servesConsole, member, noValue] }]),
  );

/** A public page of the `web` API. */
const page = (...operation: Parameters<typeof opened>) => ({ get: opened(...operation) });

/**
 * The console: its page at each address, and its files below `/console/assets`. A greedy parameter also matches
 * `/console/`, as it does `/docs/`: neither can be a route of an HTTP API.
 */
const consolePages = () => ({
  '/console': page('console', 'console'),
  '/console/{path+}': page('console', 'consolePath', 'path'),
});

/** Whether a deployment has the page for withdrawals. */
export const servesWithdrawals = (offer: Offer): boolean =>
  offersAll(offer, ['declareWithdrawal', 'getWithdrawalReceipt']);

/** Whether a deployment has the console. Without it, the parameter Console has no effect, and does not exist. */
const servesUsers = (offer: Offer): boolean => hasFunction(offer, 'console');

/** The page for withdrawals, which posts its forms to itself. The parameter WithdrawPage enables it. */
const withdrawPage = () => ({
  'Fn::If': [
    withdrawCondition,
    { get: opened('withdraw', 'withdraw'), post: opened('withdraw', 'withdrawForm') },
    noValue,
  ],
});

const policyPath = '/return-policy';

/** The policy for customers. The parameter PublicPolicy enables it. */
const policyPage = () => ({
  'Fn::If': [policyPageCondition, page('publishedPolicy', 'publishedPolicy'), noValue],
});

/**
 * The body of the `web` HTTP API, for browsers. It requires no client certificate, which browsers do not have. The
 * parameter WebApi enables it. Only the standalone mode issues receipts, so only it publishes their keys. With the
 * parameter Console it has the operations too, for tokens of users.
 */
export const webBody = (offer: Offer) => ({
  openapi: '3.0.1',
  info: { title: 'returns web', version: '1.0.0' },
  paths: {
    '/docs': page('docs', 'docs'),
    '/docs/{path+}': page('docs', 'docsPath', 'path'),
    ...(servesWithdrawals(offer) && { '/withdraw': withdrawPage() }),
    ...(hasFunction(offer, 'publishedPolicy') && { [policyPath]: policyPage() }),
    ...(offer.mode === 'standalone' && { '/.well-known/withdrawal-receipts.json': page('receiptKeys', 'receiptKeys') }),
    ...(servesUsers(offer) && forUsers({ ...consolePages(), ...operationPaths(offer) })),
    ...(servesUsers(offer) && agentPaths(offer, servesAgentUsers)),
  },
  ...(servesUsers(offer) && {
    components: {
      'Fn::If': [servesConsole, { securitySchemes: securitySchemes([{ Ref: 'ConsoleAudience' }]) }, noValue],
    },
  }),
});

/** A first visit of the console loads about twenty files, which its browser then keeps. A team begins at the same time. */
const consoleLimits = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 500 };

const isConsole = (path: string): boolean => path.startsWith('/console');

/** Returns the limits of single routes of the `web` API. The gateway accepts settings only of routes that exist. */
const routeLimits = (offer: Offer) => {
  const { paths } = webBody(offer);
  const hasPage = servesWithdrawals(offer);
  const pages = Object.keys(paths).filter(
    (path) => !path.startsWith(basePath) && path !== '/withdraw' && path !== policyPath && !isConsole(path),
  );
  const withdraw = {
    'POST /withdraw': {
      'Fn::If': [
        withdrawCondition,
        { ThrottlingRateLimit: { Ref: 'WithdrawPageRate' }, ThrottlingBurstLimit: { Ref: 'WithdrawPageBurst' } },
        noValue,
      ],
    },
  };
  const users = {
    ...Object.fromEntries(pages.map((path) => [`GET ${path}`, publicLimits])),
    ...(policyPath in paths && {
      [`GET ${policyPath}`]: { 'Fn::If': [policyPageCondition, publicLimits, noValue] },
    }),
    ...operationLimits(offer),
    ...Object.fromEntries(
      Object.keys(paths)
        .filter(isConsole)
        .map((path) => [`GET ${path}`, consoleLimits]),
    ),
    ...(hasPage && { 'GET /withdraw': { 'Fn::If': [withdrawCondition, publicLimits, noValue] }, ...withdraw }),
  };
  const others = hasPage ? { 'Fn::If': [withdrawCondition, withdraw, noValue] } : noValue;
  return servesUsers(offer) ? { 'Fn::If': [servesConsole, users, others] } : others;
};

/** Public pages. Browsers keep the page for five minutes, and the keys of receipts for an hour. */
const publicStage = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };

const apiStage = { ThrottlingRateLimit: { Ref: 'ApiRate' }, ThrottlingBurstLimit: { Ref: 'ApiBurst' } };

/**
 * Returns the limits of the `web` API: of single routes, and of all others. The others have those of the API with the
 * parameter Console, else those of public pages.
 */
export const webLimits = (offer: Offer) => ({
  routes: routeLimits(offer),
  others: servesUsers(offer) ? { 'Fn::If': [servesConsole, apiStage, publicStage] } : publicStage,
});

const origin = 'https://([*][.])?[A-Za-z0-9.-]+(:[0-9]{1,5})?';

const withdrawParameters = {
  WithdrawPage: {
    Type: 'String',
    Default: 'off',
    AllowedValues: ['off', 'on'],
    Description: 'Whether the API for browsers serves the page at /withdraw; it needs WebApi on',
  },
  WithdrawPageRate: {
    Type: 'Number',
    Default: 5,
    MinValue: 1,
    Description: 'Forms a second that the page at /withdraw accepts',
  },
  WithdrawPageBurst: {
    Type: 'Number',
    Default: 20,
    MinValue: 1,
    Description: 'Burst of forms that the page at /withdraw accepts',
  },
  WithdrawPageFrameAncestors: {
    Type: 'String',
    Default: 'none',
    AllowedPattern: `none|${origin}(,${origin})*`,
    Description:
      'Origins that may show the page at /withdraw in a frame, such as https://shop.example, separated by commas; or none',
  },
  ShopName: {
    Type: 'String',
    Default: '',
    AllowedPattern: '[^\\x00-\\x1f\\x7f]{0,100}',
    Description: 'Name of the shop on the page at /withdraw and below messages to customers',
  },
  ReceiptMails: {
    Type: 'String',
    Default: 'off',
    AllowedValues: ['off', 'on'],
    Description:
      'Whether the shop mails the receipts of the page at /withdraw, so that the page promises an e-mail; with MailSender it always does',
  },
  WithdrawalTimeZone: {
    Type: 'String',
    Default: 'UTC',
    AllowedPattern: '[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}',
    Description: 'Time zone of receipts from the page at /withdraw, such as Europe/Berlin',
  },
};

/** Returns the parameters of the page for withdrawals, and the key that signs its checks. */
export const withdrawTemplate = (): TemplatePart => ({
  Parameters: withdrawParameters,
  Conditions: {
    [withdrawCondition]: {
      'Fn::And': [{ Condition: 'ServesWeb' }, { 'Fn::Equals': [{ Ref: 'WithdrawPage' }, 'on'] }],
    },
  },
  Resources: {
    WithdrawKey: {
      Type: 'AWS::SecretsManager::Secret',
      Condition: withdrawCondition,
      Properties: {
        Description: 'Key that signs the checks of the page for withdrawals',
        KmsKeyId: customerKey,
        GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
      },
    },
  },
});

/** Returns the parameter of the public address of the policy. */
export const policyTemplate = (offer: Offer): TemplatePart =>
  hasFunction(offer, 'publishedPolicy')
    ? {
        Parameters: {
          PublicPolicy: {
            Type: 'String',
            Default: 'off',
            AllowedValues: ['off', 'on'],
            Description:
              'Whether the API for browsers serves the published policy at /return-policy, without a token; it needs WebApi on',
          },
        },
        Conditions: {
          [policyPageCondition]: {
            'Fn::And': [{ Condition: 'ServesWeb' }, { 'Fn::Equals': [{ Ref: 'PublicPolicy' }, 'on'] }],
          },
        },
      }
    : {};
