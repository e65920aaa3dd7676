import { contract, type OperationName } from '../../contract/contract.ts';
import { recordOf, type Entry } from '../../contract/entry.ts';
import type { Operation } from '../../contract/operation.ts';
import { listInbox, onBodies, redrive, replay, replayRange } from '../permissions/inbox.ts';
import { listing, newJob, onExports, onJobs } from '../permissions/jobs.ts';
import { answers, getEndpoint, onOutbox, querySent, readPlaces, secretsOfEndpoints } from '../permissions/outbox.ts';
import type { Permission } from '../permissions/permission.ts';
import { readClientSecret, readHistoryKeys, readShared, readSigningSecret } from '../permissions/secrets.ts';
import { readCounters } from '../permissions/statistics.ts';
import {
  answer,
  command,
  commandWithTexts,
  create,
  decide,
  getItem,
  getItems,
  lists,
  onEvidence,
  query,
  queryByDeadline,
  queryByUpdate,
  readDecisions,
  readPolicies,
  readReasons,
  register,
  remove,
  transact,
  writeDecisions,
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
  registerOrder: register,
  getOrder: [getItem('PII#*'), query('ORDER#*')],
  getReturnable: [query('ORDER#*')],
  recordRefund: [getItem('ORDER#*', 'RETURN#*'), query('ORDER#*'), transact('ORDER#*', 'RETURN#*'), ...readHistoryKeys],
  createReturn: [...create, readSigningSecret],
  listReturns: [...lists, readSigningSecret],
  getReturn: [getItem('RETURN#*', 'PII#*'), query('RETURN#*', 'PII#*', 'ORDER#*'), onEvidence('GetObject')],
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
  reopen: [...commandWithTexts, ...decide, readDecisions, writeDecisions],
  correct: commandWithTexts,
  addNote: commandWithTexts,
  addAttachment: [...command, onEvidence('PutObject')],
  getHistory: [query('RETURN#*'), getItem('ERASED#*', 'PII#*'), readSigningSecret],
  verifyHistory: [getItem('RETURN#*'), query('RETURN#*'), ...readHistoryKeys],
  quoteReturn: [getItem('RETURN#*'), query('ORDER#*'), ...decide, readSigningSecret],
  getDecision: [getItem('DECISIONS#*', 'POLICY#*'), query('ORDER#*')],
  listPolicies: [getItem('POLICIES'), readSigningSecret],
  getPolicy: [getItem('POLICIES')],
  listVersions: [getItem('POLICIES'), query('POLICY#*'), readSigningSecret],
  getVersion: [readPolicies],
  diffVersions: [readPolicies],
  createPolicy: [readPolicies, writePolicies, ...answer],
  saveDraft: [readPolicies, writePolicies],
  lintDraft: [readPolicies, readReasons],
  testDraft: [readPolicies],
  backtestDraft: [readPolicies, ...newJob, onJobs('SendMessage')],
  shadowDraft: [readPolicies, writePolicies, ...answer],
  publish: [readPolicies, readReasons, writePolicies, ...answer],
  archive: [readPolicies, writePolicies, ...answer],
  listReasons: [readReasons],
  putReason: [readReasons, transact('REASONS')],
  createExport: [...newJob, onJobs('SendMessage')],
  eraseCustomer: [...newJob, onJobs('SendMessage')],
  listJobs: [...listing, readSigningSecret],
  getJob: [query('JOB#*'), transact('JOB#*'), onJobs('SendMessage'), onExports('GetObject')],
  cancelJob: [query('JOB#*'), transact('JOB#*'), ...answer],
  listEvents: [query('LOG#*'), getItems('LOG#*'), readPlaces, readSigningSecret],
  getSummary: [readCounters, queryByUpdate, queryByDeadline],
  getAnalytics: [readCounters, queryByUpdate],
  createWebhookEndpoint: [
    getItem('ENDPOINTSMADE', secretsOfEndpoints, answers),
    getItems('LOG#*'),
    query('ENDPOINTS'),
    transact('ENDPOINTS', 'ENDPOINTSMADE', secretsOfEndpoints, answers),
  ],
  listWebhookEndpoints: [query('ENDPOINTS')],
  getWebhookEndpoint: [getEndpoint()],
  updateWebhookEndpoint: [getEndpoint(), transact('ENDPOINTS')],
  deleteWebhookEndpoint: [getEndpoint(), remove('ENDPOINTS', secretsOfEndpoints)],
  rotateWebhookSecret: [getEndpoint(secretsOfEndpoints, answers), transact('ENDPOINTS', secretsOfEndpoints, answers)],
  testWebhookEndpoint: [getEndpoint(secretsOfEndpoints)],
  listWebhookDeliveries: [getEndpoint(), querySent, readSigningSecret],
  getWebhookDelivery: [getEndpoint('SENT#*'), readPlaces],
  redeliverWebhook: [getEndpoint('SENT#*', answers), transact(answers), onOutbox('SendMessage')],
  redeliverWebhooks: [getEndpoint(answers), querySent, transact(answers), readSigningSecret, onOutbox('SendMessage')],
  health: [getItem('PROBE')],
  asyncapi: [],
};

/** Operations on the inbox of the deployment itself work in both modes, and call no other service. */
const ofInbox: ByOperation<readonly Permission[]> = {
  listDeliveries: listInbox,
  // The function signs an address without a call. The holder of the address acts with this permission.
  getDelivery: [getItem('INBOX#*'), onBodies('GetObject')],
  replay,
  replayRange,
  redrive,
};

const settings: ByOperation<Pick<FunctionRow, 'timeout' | 'environment'>> = {
  // A receiver has 15 seconds.
  testWebhookEndpoint: { timeout: 30 },
  openapi: { environment: { TOKEN_ISSUER: { Ref: 'TokenIssuer' } } },
};

/** The tokens by which the connected mode calls the service. A caller of a write operation may hold returns:admin. */
const tokensOf = ({ scope }: Operation) => {
  if (scope === 'returns:write') return ['SharedWriteToken', 'SharedAdminToken'] as const;
  return scope === 'returns:admin' ? (['SharedAdminToken'] as const) : (['SharedReadToken'] as const);
};

const isCommandOnReturn = ({ method, path }: Operation): boolean =>
  method === 'POST' && path.startsWith('/returns/{returnId}/');

const permissionsOf = (operation: Operation): FunctionRow['permissions'] => {
  const name = operation.name as OperationName;
  // The bundle holds the document.
  if (name === 'openapi') return inBothModes([]);
  const local = ofInbox[name];
  if (local !== undefined) return inBothModes(local);
  const permissions = standalone[name] ?? (isCommandOnReturn(operation) ? command : undefined);
  if (permissions === undefined)
    throw new Error(`lib/deploy/functions/operations.ts does not say what ${name} may do in the standalone mode`);
  return { connected: [readClientSecret, ...readShared(...tokensOf(operation))], standalone: permissions };
};

/** The row of an operation's function. */
export const rowOfOperation = (operation: Operation): FunctionRow => ({
  trigger: { kind: 'operation' },
  permissions: permissionsOf(operation),
  ...settings[operation.name as OperationName],
});

/** The rows of the API: one for each operation. */
export const operationRows: Readonly<Record<string, FunctionRow>> = Object.fromEntries(
  Object.entries<Entry>(contract).map(([name, entry]) => [name, rowOfOperation(recordOf(name, entry))]),
);
