import { contract, type OperationName } from '../../../contract/contract.ts';
import { toOperation, type OperationEntry } from '../../../contract/entry.ts';
import { isCommandOnReturn, type Operation } from '../../../contract/operation.ts';
import { recordNoActor } from '../../../contract/record-no-actor.ts';
import {
  countMessages,
  listInbox,
  onBodies,
  redrive,
  redriveCommonQueues,
  replay,
  replayRange,
  takeFrom,
} from '../permissions/inbox.ts';
import { readTrees } from '../permissions/anchors.ts';
import { listJobs, createJob, onExports, onJobs } from '../permissions/jobs.ts';
import {
  storedResponsesPartition,
  getEndpoint,
  onOutbox,
  queryWebhookDeliveries,
  getDomainEvents,
  endpointSecretsPartition,
} from '../permissions/outbox.ts';
import type { Permission } from '../permissions/permission.ts';
import { readClientSecret, readHistoryKeys, readSharedTokens, readSigningSecret } from '../permissions/secrets.ts';
import { readCounters } from '../permissions/schedules.ts';
import {
  replayResponse,
  command,
  commandWithTexts,
  createReturn,
  declareWithdrawal,
  evaluatePolicies,
  getItem,
  getItems,
  getReturn,
  getSummaries,
  findReturns,
  listReturns,
  matchWithdrawal,
  carryOutWithdrawal,
  queryByCreation,
  onEvidence,
  query,
  queryByDeadline,
  queryByOrder,
  queryByStatus,
  queryByUpdate,
  queryChangedWithdrawals,
  queryWithdrawals,
  readDeclarations,
  readDecisions,
  readPolicies,
  readReasons,
  readWithdrawal,
  readWithdrawalHistory,
  registerOrder,
  remove,
  searchCustomers,
  storeUserName,
  transact,
  verifyWithdrawal,
  userNames,
  withdrawalCommand,
  writeDecisions,
  writeDeclarations,
  writePolicies,
} from '../permissions/table.ts';
import { inBothModes, type FunctionRow } from './function-row.ts';

/*
 * The functions of the API follow from lib/contract. These tables hold the exceptions. In the connected mode
 * the scope of an operation gives its permissions. In the standalone mode a command on a return has the permissions
 * `command`, and another operation has a line here.
 */

type ByOperation<Value> = Readonly<Partial<Record<OperationName, Value>>>;

const standalone: ByOperation<readonly Permission[]> = {
  registerOrder: [...registerOrder, ...carryOutWithdrawal],
  getOrder: [getItem('PII#*'), query('ORDER#*')],
  getReturnable: [query('ORDER#*')],
  recordRefund: [
    getItem('ORDER#*', 'RETURN#*'),
    query('ORDER#*'),
    queryByOrder,
    getSummaries,
    transact('ORDER#*', 'RETURN#*'),
    ...readHistoryKeys,
  ],
  createReturn: [...createReturn, readSigningSecret],
  listReturns: [...listReturns, readSigningSecret],
  findReturns,
  searchCustomers: [...searchCustomers, readSigningSecret],
  countViews: [queryByStatus],
  getReturn: [...getReturn, onEvidence('GetObject')],
  updateReturn: [
    getItem('RETURN#*', 'EXTERNAL#*'),
    query('ORDER#*'),
    transact('RETURN#*', 'EXTERNAL#*'),
    remove('EXTERNAL#*'),
    ...readHistoryKeys,
  ],
  approve: commandWithTexts,
  reject: commandWithTexts,
  requestInfo: commandWithTexts,
  provideInfo: commandWithTexts,
  addParcel: [...commandWithTexts, transact('TRACKING#*')],
  updateParcel: [...commandWithTexts, query('PII#*'), transact('TRACKING#*'), remove('TRACKING#*')],
  receive: commandWithTexts,
  inspect: commandWithTexts,
  complete: commandWithTexts,
  cancel: commandWithTexts,
  reopen: [...commandWithTexts, ...evaluatePolicies, readDecisions, writeDecisions],
  correct: commandWithTexts,
  addNote: commandWithTexts,
  addAttachment: [...command, onEvidence('PutObject')],
  getHistory: [query('RETURN#*'), getItem('ERASED#*', 'PII#*'), getItems(userNames), readSigningSecret],
  verifyHistory: [getItem('RETURN#*', 'SCHEDULE#*'), query('RETURN#*'), ...readHistoryKeys, ...readTrees],
  quoteReturn: [getItem('RETURN#*'), query('ORDER#*'), ...evaluatePolicies, readSigningSecret],
  getDecision: [getItem('DECISIONS#*', 'POLICY#*'), query('ORDER#*')],
  listPolicies: [getItem('POLICIES'), readSigningSecret],
  getPolicy: [getItem('POLICIES')],
  listVersions: [getItem('POLICIES'), query('POLICY#*'), readSigningSecret],
  getVersion: [readPolicies],
  diffVersions: [readPolicies],
  createPolicy: [readPolicies, writePolicies, ...replayResponse],
  saveDraft: [readPolicies, writePolicies],
  lintDraft: [readPolicies, readReasons],
  testDraft: [readPolicies],
  backtestDraft: [readPolicies, ...createJob, onJobs('SendMessage')],
  shadowDraft: [readPolicies, writePolicies, ...replayResponse],
  publish: [readPolicies, readReasons, writePolicies, ...replayResponse],
  archive: [readPolicies, writePolicies, ...replayResponse],
  listReasons: [readReasons],
  putReason: [readReasons, transact('REASONS')],
  createExport: [...createJob, queryByCreation, onJobs('SendMessage')],
  eraseCustomer: [...createJob, onJobs('SendMessage')],
  createBulk: [...createJob, onJobs('SendMessage')],
  getBulk: [query('JOB#*'), transact('JOB#*'), onJobs('SendMessage')],
  cancelBulk: [query('JOB#*'), transact('JOB#*'), ...replayResponse],
  listJobs: [...listJobs, readSigningSecret],
  getJob: [query('JOB#*'), transact('JOB#*'), onJobs('SendMessage'), onExports('GetObject')],
  cancelJob: [query('JOB#*'), transact('JOB#*'), ...replayResponse],
  listEvents: [query('LOG#*'), getItems('LOG#*'), getDomainEvents, readSigningSecret],
  getSummary: [readCounters, queryByUpdate, queryByDeadline],
  getAnalytics: [readCounters, queryByUpdate],
  createWebhookEndpoint: [
    getItem('ENDPOINTSMADE', endpointSecretsPartition, storedResponsesPartition),
    getItems('LOG#*'),
    query('ENDPOINTS'),
    transact('ENDPOINTS', 'ENDPOINTSMADE', endpointSecretsPartition, storedResponsesPartition),
  ],
  listWebhookEndpoints: [query('ENDPOINTS')],
  getWebhookEndpoint: [getEndpoint()],
  updateWebhookEndpoint: [getEndpoint(), transact('ENDPOINTS')],
  deleteWebhookEndpoint: [getEndpoint(), remove('ENDPOINTS', endpointSecretsPartition)],
  rotateWebhookSecret: [
    getEndpoint(endpointSecretsPartition, storedResponsesPartition),
    transact('ENDPOINTS', endpointSecretsPartition, storedResponsesPartition),
  ],
  testWebhookEndpoint: [getEndpoint(endpointSecretsPartition)],
  listWebhookDeliveries: [getEndpoint(), queryWebhookDeliveries, readSigningSecret],
  getWebhookDelivery: [getEndpoint('SENT#*'), getDomainEvents],
  redeliverWebhook: [
    getEndpoint('SENT#*', storedResponsesPartition),
    transact(storedResponsesPartition),
    onOutbox('SendMessage'),
  ],
  redeliverWebhooks: [
    getEndpoint(storedResponsesPartition),
    queryWebhookDeliveries,
    transact(storedResponsesPartition),
    readSigningSecret,
    onOutbox('SendMessage'),
  ],
  declareWithdrawal,
  listWithdrawals: [queryWithdrawals, queryChangedWithdrawals, readSigningSecret],
  getWithdrawal: readWithdrawal,
  getWithdrawalReceipt: readWithdrawal,
  getWithdrawalHistory: [...readWithdrawalHistory, getItems(userNames), readSigningSecret],
  verifyWithdrawalHistory: [...verifyWithdrawal, ...readTrees],
  recordReceiptSent: withdrawalCommand,
  matchWithdrawal,
  answerWithdrawal: [...withdrawalCommand, writeDeclarations],
  withdrawWithdrawal: [
    ...withdrawalCommand,
    getItem('RETURN#*'),
    query('ORDER#*'),
    readDeclarations,
    transact('ORDER#*'),
    remove('DECLARED#*'),
  ],
  health: [getItem('PROBE')],
  asyncapi: [],
};

/** Operations on the inbox of the deployment itself work in both modes, and call no other service. */
const ofInbox: ByOperation<readonly Permission[]> = {
  listInboxDeliveries: listInbox,
  // The function signs an address without a call. The holder of the address acts with this permission.
  getInboxDelivery: [getItem('INBOX#*'), onBodies('GetObject')],
  replay,
  replayRange,
  redrive,
};

const commonQueues = ['InboxDeadLetters', 'EventsDeadLetters'] as const;
const standaloneQueues = ['JobsDeadLetters', 'OutboxDeadLetters', 'StreamDeadLetters'] as const;

/** Each mode has dead-letter queues of its own. */
const ofDeadLetters: ByOperation<FunctionRow['permissions']> = {
  listDeadLetters: {
    connected: countMessages(...commonQueues),
    standalone: countMessages(...commonQueues, ...standaloneQueues),
  },
  redriveDeadLetters: {
    connected: redriveCommonQueues,
    standalone: [
      ...redriveCommonQueues,
      ...standaloneQueues.map(takeFrom),
      getItem('JOB#*'),
      query('JOB#*'),
      transact('JOB#*'),
      onJobs('SendMessage'),
      onOutbox('SendMessage'),
    ],
  },
};

/** The addresses of the dead-letter queues, and of the queue of events. */
export const queueAddresses = {
  environment: { EVENTS_QUEUE_URL: { Ref: 'EventsQueue' }, EVENTS_DLQ_URL: { Ref: 'EventsDeadLetters' } },
  environmentByMode: {
    standalone: {
      JOBS_DLQ_URL: { Ref: 'JobsDeadLetters' },
      OUTBOX_DLQ_URL: { Ref: 'OutboxDeadLetters' },
      STREAM_DLQ_URL: { Ref: 'StreamDeadLetters' },
    },
  },
} as const;

const settings: ByOperation<Pick<FunctionRow, 'timeout' | 'environment' | 'environmentByMode'>> = {
  listDeadLetters: queueAddresses,
  redriveDeadLetters: queueAddresses,
  publish: { environmentByMode: { standalone: { FOUR_EYES: { Ref: 'FourEyes' } } } },
  // A receiver has 15 seconds.
  testWebhookEndpoint: { timeout: 30 },
  openapi: { environment: { TOKEN_ISSUER: { Ref: 'TokenIssuer' } } },
};

/**
 * The tokens by which the connected mode calls the service. A caller of a write operation may hold returns:admin. No
 * shared token has returns:search: each container obtains its own.
 */
const tokensOf = ({ scope }: Operation) => {
  if (scope === 'returns:search') return [];
  if (scope === 'returns:write') return ['SharedWriteToken', 'SharedAdminToken'] as const;
  return scope === 'returns:admin' ? (['SharedAdminToken'] as const) : (['SharedReadToken'] as const);
};

/** The permissions of an operation in the standalone mode. */
const ownPermissions = (operation: Operation): readonly Permission[] => {
  const permissions =
    standalone[operation.name as OperationName] ?? (isCommandOnReturn(operation) ? command : undefined);
  if (permissions === undefined)
    throw new Error(
      `lib/tools/template/functions/operations.ts has no permissions for ${operation.name} in the standalone mode`,
    );
  return permissions;
};

const readTokens = (operation: Operation): readonly Permission[] => {
  const tokens = tokensOf(operation);
  return tokens.length === 0 ? [] : readSharedTokens(...tokens);
};

/**
 * Returns the permissions of a function that calls operations as a client without a user.
 *
 * @param narrower the permissions of operations that the function calls with less than any input
 */
export const permissionsOfCalls = (
  names: readonly OperationName[],
  narrower: ByOperation<readonly Permission[]> = {},
): Required<FunctionRow['permissions']> => {
  const called = names.map((name) => toOperation(name, contract[name] as OperationEntry));
  return {
    connected: [readClientSecret, ...readSharedTokens(...new Set(called.flatMap(tokensOf)))],
    standalone: called.flatMap((operation) => narrower[operation.name as OperationName] ?? ownPermissions(operation)),
  };
};

/** An operation that records its actor also stores the name of a signed-in user. */
const recordUser = (operation: Operation): readonly Permission[] =>
  operation.dryRun && !recordNoActor.has(operation.name) ? storeUserName : [];

const permissionsOf = (operation: Operation): FunctionRow['permissions'] => {
  const name = operation.name as OperationName;
  // The bundle holds the document.
  if (name === 'openapi') return inBothModes([]);
  const own = ofDeadLetters[name];
  if (own !== undefined) return own;
  const local = ofInbox[name];
  if (local !== undefined) return inBothModes(local);
  return {
    connected: [readClientSecret, ...readTokens(operation)],
    standalone: [...ownPermissions(operation), ...recordUser(operation)],
  };
};

/** The row of an operation's function. */
export const rowOfOperation = (operation: Operation): FunctionRow => ({
  trigger: { kind: 'operation' },
  permissions: permissionsOf(operation),
  ...settings[operation.name as OperationName],
});

/** The rows of the API: one for each operation. */
export const operationRows: Readonly<Record<string, FunctionRow>> = Object.fromEntries(
  Object.entries<OperationEntry>(contract).map(([name, entry]) => [name, rowOfOperation(toOperation(name, entry))]),
);
