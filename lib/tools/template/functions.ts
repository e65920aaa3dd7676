import { inboxOperations } from '../../contract/inbox/sync.ts';
import { consumerRows } from './functions/consumers.ts';
import { type Environment, type FunctionRow, inBothModes } from './functions/function-row.ts';
import { operationRows, queueAddresses } from './functions/operations.ts';
import { scheduleRows } from './functions/schedules.ts';
import { countMessages, listInboxBucket, receiveWebhook } from './permissions/inbox.ts';
import { agentNeeds, servesAgents } from './agent-gateway.ts';
import { serveAgents } from './permissions/agents.ts';
import { mailCondition } from './permissions/mails.ts';
import {
  readClientSecret,
  readReceiptKeys,
  readSharedTokens,
  readShopTokens,
  readWebhookSecrets,
  readWithdrawKey,
  rotateClientSecret,
  rotateKeys,
  searchCondition,
  withdrawCondition,
} from './permissions/secrets.ts';
import { actionsOn, type Permission } from './permissions/permission.ts';
import { getItems, onTable, query, queryIndex } from './permissions/table.ts';
import { byFunction, servesConsole } from './token-parameters.ts';
import { type Offer, offersAll } from './offer.ts';
import { operationsOf } from './function-needs.ts';

/* The doctor reads settings, counts and keys of the deployment. It reads no return, delivery or event. */

const examineTable = onTable('DescribeTable', 'DescribeTimeToLive', 'DescribeContinuousBackups');

/** Table, queues, inbox and platforms. */
const examine = [
  readWebhookSecrets,
  readShopTokens,
  examineTable,
  ...['byDeadline', 'byStatus'].map((name) => queryIndex(name, 'DELIVERIES#*')),
  listInboxBucket,
  ...countMessages('InboxQueue', 'InboxDeadLetters', 'EventsQueue', 'EventsDeadLetters'),
];

/** Also the other queues, and the positions of webhook subscriptions. */
const examineStandalone = [
  ...examine,
  ...countMessages(
    'JobsQueue',
    'JobsDeadLetters',
    'OutboxQueue',
    'OutboxDeadLetters',
    'WriteBackQueue',
    'WriteBackDeadLetters',
    'MailsQueue',
    'MailsDeadLetters',
    'StreamDeadLetters',
  ),
  query('ENDPOINTS', 'LANES#*'),
  getItems('LOG#*', 'FEED#*'),
  queryIndex('byStatus', 'INTENTS#*'),
];

/** The ARNs of the aliases of the functions that the page for withdrawals invokes. */
const invokedByPage = {
  DECLARE_WITHDRAWAL_ARN: { Ref: 'DeclareWithdrawalLive' },
  GET_WITHDRAWAL_RECEIPT_ARN: { Ref: 'GetWithdrawalReceiptLive' },
};

/** The condition of the public address of the policy. */
export const policyPageCondition = 'ServesPolicy';

/** The ARN of the alias of the only function that the public address of the policy invokes. */
const invokedByPolicyPage = { GET_POLICY_TEXT_ARN: { Ref: 'GetPolicyTextLive' } };

/** Whether receipts are mailed: by the shop, or by the sender of the deployment. osls accepts Fn::If only so. */
const receiptMails = { 'Fn::Join': ['', [{ 'Fn::If': [mailCondition, 'on', { Ref: 'ReceiptMails' }] }]] };

/** The page for withdrawals is public. It invokes two operations, signs its checks, and reads nothing else. */
const withdrawPermissions = [
  ...Object.values(invokedByPage).map((arn) => actionsOn('lambda', arn)('InvokeFunction')),
  readWithdrawKey,
];

/*
 * The deployed functions: one row each. `npm run generate` writes from them the functions, roles, schedules and alarms
 * that serverless.yml includes. A row names its function by the file under functions/, in camel case.
 *
 * A role permits only the calls that its function needs in its mode. The local stack rejects other calls, and
 * test/tools/build/roles-used.test.ts finds permissions without a use. Encryption needs no permission: AWS manages the keys
 * of table, buckets, queues and secrets. The shared tokens, and the keys of histories and receipts, may have a key of the
 * customer.
 */

/** The tokens of clients that the authorizer accepts. */
const clientTokens = { TOKEN_ISSUER: { Ref: 'TokenIssuer' }, TOKEN_AUDIENCE: { Ref: 'TokenAudience' } };

/** What the function for agents knows of each deployment. */
const agentSettings = {
  TOKEN_ISSUER: { Ref: 'TokenIssuer' },
  MCP_ASKS_PERSON: { Ref: 'McpAsksPerson' },
  MCP_COMMAND_LIMIT: { Ref: 'McpCommandLimit' },
};

const otherRows = {
  receiveWebhook: {
    trigger: { kind: 'webhook' },
    permissions: inBothModes(receiveWebhook),
    needs: inboxOperations,
    reservedConcurrency: { 'Fn::If': ['ReservesHooks', { Ref: 'HooksConcurrency' }, { Ref: 'AWS::NoValue' }] },
  },

  docs: {
    trigger: { kind: 'web' },
    permissions: inBothModes([]),
    condition: 'ServesWeb',
  },

  console: {
    trigger: { kind: 'web' },
    environment: {
      TOKEN_ISSUER: { Ref: 'TokenIssuer' },
      CONSOLE_AUDIENCE: { Ref: 'ConsoleAudience' },
      CONSOLE_ORIGINS: { Ref: 'ConsoleOrigins' },
    },
    permissions: inBothModes([]),
    condition: servesConsole,
  },

  receiptKeys: {
    trigger: { kind: 'web' },
    permissions: { standalone: readReceiptKeys },
    condition: 'ServesWeb',
  },

  withdraw: {
    trigger: { kind: 'web' },
    environment: {
      SHOP_NAME: { Ref: 'ShopName' },
      WITHDRAW_PAGE_FRAME_ANCESTORS: { Ref: 'WithdrawPageFrameAncestors' },
      WITHDRAWAL_TIME_ZONE: { Ref: 'WithdrawalTimeZone' },
      WITHDRAW_KEY_ID: { Ref: 'WithdrawKey' },
      ...invokedByPage,
    },
    environmentByMode: {
      connected: { RECEIPT_MAILS: { Ref: 'ReceiptMails' } },
      standalone: { REQUEST_METRICS: 'on', RECEIPT_MAILS: receiptMails },
    },
    permissions: inBothModes(withdrawPermissions),
    needs: ['declareWithdrawal', 'getWithdrawalReceipt'],
    condition: withdrawCondition,
  },

  publishedPolicy: {
    trigger: { kind: 'web' },
    environment: invokedByPolicyPage,
    permissions: inBothModes(
      Object.values(invokedByPolicyPage).map((arn) => actionsOn('lambda', arn)('InvokeFunction')),
    ),
    needs: ['getPolicyText'],
    condition: policyPageCondition,
  },

  mcp: {
    trigger: { kind: 'web' },
    // A command takes three calls of the API in turn.
    timeout: 29,
    environment: { ...agentSettings, CONSOLE_URL: { Ref: 'ConsoleUrl' } },
    // No adapter offers all operations that the console calls.
    adapterEnvironment: agentSettings,
    permissions: inBothModes(serveAgents),
    needs: agentNeeds,
    condition: servesAgents,
  },

  rotateClientSecret: {
    trigger: {
      kind: 'rotation',
      days: 'ClientSecretRotationDays',
      secrets: { ClientSecret: { Ref: 'ClientSecretId' } },
    },
    timeout: 60,
    environment: { ROTATION_HOOK_ARN: { Ref: 'RotationHookArn' } },
    permissions: { connected: rotateClientSecret },
    condition: 'RotatesClientSecret',
    alarm: {
      description: 'The client secret was not rotated; the log says why; the current version stays in use',
      period: 3600,
      evaluationPeriods: 1,
    },
  },

  rotateKeys: {
    trigger: {
      kind: 'rotation',
      days: 'KeyRotationDays',
      secrets: {
        SigningSecret: { Ref: 'SigningSecret' },
        WithdrawKey: { Ref: 'WithdrawKey' },
        HistoryKeys: { Ref: 'HistoryKeys' },
        ReceiptKeys: { Ref: 'ReceiptKeys' },
        SearchKeys: { Ref: 'SearchKeys' },
      },
      conditions: { SearchKeys: searchCondition, WithdrawKey: withdrawCondition },
    },
    timeout: 30,
    // osls accepts Fn::If here only inside another function.
    environment: {
      WITHDRAW_KEY_ID: { 'Fn::Join': ['', [{ 'Fn::If': [withdrawCondition, { Ref: 'WithdrawKey' }, ''] }]] },
    },
    permissions: { standalone: rotateKeys },
    condition: 'RotatesKeys',
    alarm: {
      description: 'A key was not rotated; the log says why; the current keys stay in use',
      period: 3600,
      evaluationPeriods: 1,
    },
  },

  notOffered: {
    trigger: { kind: 'web' },
    permissions: { connected: [] },
    onlyAdapters: true,
  },

  authorize: {
    trigger: { kind: 'authorizer' },
    environment: { ...clientTokens, CONSOLE_AUDIENCE: { Ref: 'ConsoleAudience' } },
    // No adapter offers all operations that the console calls.
    adapterEnvironment: clientTokens,
    permissions: inBothModes([]),
    condition: byFunction,
  },

  doctor: {
    trigger: { kind: 'operator' },
    timeout: 30,
    ...queueAddresses,
    permissions: { connected: [readClientSecret, ...examine], standalone: examineStandalone },
    // It has no queues, and reads by the mappings of the adapter.
    adapterEnvironment: {},
    adapterPermissions: [readClientSecret, ...readSharedTokens('SharedReadToken'), examineTable],
  },
} as const satisfies Readonly<Record<string, FunctionRow>>;

/** The rows of all functions, by name. */
export const functionRows: Readonly<Record<string, FunctionRow>> = {
  ...operationRows,
  ...consumerRows,
  ...scheduleRows,
  ...otherRows,
};

/** Whether a deployment has the function of a row: it offers every operation that the function calls. */
export const existsIn = (name: string, row: FunctionRow, offer: Offer): boolean => {
  if (row.permissions[offer.mode] === undefined) return false;
  if (offer.adapter === undefined) return row.onlyAdapters !== true;
  return offersAll(offer, row.needs ?? operationsOf(name));
};

/** The permissions of a function in a deployment that has it. */
export const permissionsIn = (row: FunctionRow, offer: Offer): readonly Permission[] =>
  (offer.adapter === undefined ? undefined : row.adapterPermissions) ?? row.permissions[offer.mode] ?? [];

/** The variables of a function in a deployment that has it, beyond those that all functions have. */
export const environmentIn = (row: FunctionRow, offer: Offer): Environment =>
  (offer.adapter === undefined ? undefined : row.adapterEnvironment) ?? {
    ...row.environment,
    ...row.environmentByMode?.[offer.mode],
  };

/** Whether a deployment receives webhooks of shops. */
export const hasInbox = (offer: Offer): boolean => offersAll(offer, inboxOperations);

/** Whether a deployment has a function. */
export const hasFunction = (offer: Offer, name: string): boolean => {
  const row = functionRows[name];
  return row !== undefined && existsIn(name, row, offer);
};

/** The rows of the functions that a deployment has, in the order of the tables. */
export const rowsOf = (offer: Offer): readonly (readonly [name: string, row: FunctionRow])[] =>
  Object.entries(functionRows).filter(([name, row]) => existsIn(name, row, offer));
