import { contract, type OperationName } from '../../../contract/contract.ts';
import { toOperation, type OperationEntry } from '../../../contract/entry.ts';
import { inboxOperations } from '../../../contract/inbox/sync.ts';
import { isCommandOnReturn, type Operation } from '../../../contract/operation.ts';
import { recordNoActor } from '../../../contract/record-no-actor.ts';
import type { Permission } from '../permissions/permission.ts';
import { readClientSecret, readSharedTokens } from '../permissions/secrets.ts';
import { command, journal, storeIntents, storeUserName } from '../permissions/table.ts';
import { inBothModes, type FunctionRow } from './function-row.ts';
import {
  type ByOperation,
  deadLetterPermissions,
  inboxPermissions,
  standalonePermissions,
} from './operation-permissions.ts';

/*
 * The functions of the API follow from lib/contract. In the connected mode the scope of an operation gives its
 * permissions. In the standalone mode it has a line in operation-permissions.ts.
 */

/** The addresses of the dead-letter queues, and of the queue of events. */
export const queueAddresses = {
  environment: { EVENTS_QUEUE_URL: { Ref: 'EventsQueue' }, EVENTS_DLQ_URL: { Ref: 'EventsDeadLetters' } },
  environmentByMode: {
    standalone: {
      JOBS_DLQ_URL: { Ref: 'JobsDeadLetters' },
      OUTBOX_DLQ_URL: { Ref: 'OutboxDeadLetters' },
      WRITE_BACK_DLQ_URL: { Ref: 'WriteBackDeadLetters' },
      MAILS_QUEUE_URL: { Ref: 'MailsQueue' },
      MAILS_DLQ_URL: { Ref: 'MailsDeadLetters' },
      STREAM_DLQ_URL: { Ref: 'StreamDeadLetters' },
    },
  },
} as const;

/** What messages to customers name. */
export const messageEnvironment = { SHOP_NAME: { Ref: 'ShopName' }, RETURN_ADDRESS: { Ref: 'ReturnAddress' } } as const;

const settings: ByOperation<Pick<FunctionRow, 'timeout' | 'environment' | 'environmentByMode'>> = {
  listDeadLetters: queueAddresses,
  redriveDeadLetters: queueAddresses,
  getMessage: { environmentByMode: { standalone: messageEnvironment } },
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

/** The commands that a shop may be asked to do too (lib/domain/write-back/plan-intents.ts). */
const plansIntents: ReadonlySet<string> = new Set<OperationName>([
  'addParcel',
  'amendReturn',
  'approve',
  'cancel',
  'compensate',
  'complete',
  'createReturn',
  'expire',
  'inspect',
  'matchWithdrawal',
  'receive',
  'receiveAndRefund',
  'refund',
  'registerOrder',
  'reject',
  'reopen',
]);

/** The permissions of an operation in the standalone mode. */
const ownPermissions = (operation: Operation): readonly Permission[] => {
  const permissions =
    standalonePermissions[operation.name as OperationName] ?? (isCommandOnReturn(operation) ? command : undefined);
  if (permissions === undefined)
    throw new Error(
      `lib/tools/template/functions/operation-permissions.ts has no permissions for ${operation.name} in the standalone mode`,
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
  const own = deadLetterPermissions[name];
  if (own !== undefined) return own;
  const local = inboxPermissions[name];
  if (local !== undefined) return inBothModes(local);
  return {
    connected: [readClientSecret, ...readTokens(operation)],
    standalone: [
      ...ownPermissions(operation),
      ...(plansIntents.has(name) ? [storeIntents] : []),
      ...recordUser(operation),
    ],
  };
};

/** In a deployment with an adapter, a command that creates or changes something has the journal. */
const adapterPermissionsOf = (operation: Operation) =>
  operation.idempotencyKey ? { adapterPermissions: [readClientSecret, ...readTokens(operation), ...journal] } : {};

/**
 * The operations without which an operation's function does not exist, with an adapter. Each mode serves `health` and
 * `openapi` itself, and the operations on the inbox and its queues.
 */
const needsOf = (name: OperationName): readonly OperationName[] => {
  if (name === 'health' || name === 'openapi') return [];
  return name in inboxPermissions || name in deadLetterPermissions ? inboxOperations : [name];
};

/** The row of an operation's function. */
export const rowOfOperation = (operation: Operation): FunctionRow => ({
  trigger: { kind: 'operation' },
  permissions: permissionsOf(operation),
  ...adapterPermissionsOf(operation),
  needs: needsOf(operation.name as OperationName),
  ...settings[operation.name as OperationName],
});

/** The rows of the API: one for each operation. */
export const operationRows: Readonly<Record<string, FunctionRow>> = Object.fromEntries(
  Object.entries<OperationEntry>(contract).map(([name, entry]) => [name, rowOfOperation(toOperation(name, entry))]),
);
