import type { OperationName } from '../contract/contract.ts';
import { functionFiles, type Way } from './functions.ts';
import { arnOf, on, type Permission } from './permissions/permission.ts';
import {
  readClientSecret,
  readHistoryKeys,
  readShared,
  readSigningSecret,
  refreshShared,
  whereShared,
} from './permissions/secrets.ts';
import {
  answer,
  command,
  commandWithTexts,
  create,
  decide,
  follow,
  getItem,
  getItems,
  goOn,
  lists,
  onEvidence,
  query,
  queryByDeadline,
  queryByUpdate,
  readDecisions,
  readPersonal,
  readPolicies,
  readReasons,
  register,
  remove,
  summaries,
  transact,
  writeDecisions,
  writePolicies,
} from './permissions/table.ts';
import {
  listInbox,
  nameDeliveries,
  onBodies,
  purge,
  receive,
  receiveEvents,
  reconcile,
  redrive,
  replay,
  replayRange,
  sweep,
  workOff,
} from './permissions/inbox.ts';
import { listing, newJob, onExports, onJobs, workOnJobs } from './permissions/jobs.ts';
import {
  answers,
  deliver,
  getEndpoint,
  onOutbox,
  project,
  querySent,
  readPlaces,
  readStream,
  repair,
  secretsOfEndpoints,
  wake,
} from './permissions/outbox.ts';
import { examine, examineStandalone } from './permissions/doctor.ts';
import { anchor } from './permissions/anchors.ts';
import { retain } from './permissions/retention.ts';
import { count, readCounters, rememberChecked } from './permissions/statistics.ts';

/*
 * What each function may do, in its way, and nothing else: one role a function. The local stack refuses what a role does
 * not permit, and test/build/roles-used.test.ts finds what is permitted for nothing. Encryption needs no grant: table,
 * buckets, queues and secrets are under keys that AWS manages, but for the shared tokens where the template is given a key. A
 * named secret under a key of one's own would need kms:Decrypt.
 */

/** What a function may do in each way that has it. */
type Grants = Readonly<Partial<Record<Way, readonly Permission[]>>>;

/** An operation whose scope is returns:read, or that goes with such a token. */
const reading = (...standalone: readonly Permission[]): Grants => ({
  connected: [readClientSecret, ...readShared('SharedReadToken')],
  standalone,
});
/** An operation whose scope is returns:write, and returns:admin besides for a caller who holds it. */
const commanding = (...standalone: readonly Permission[]): Grants => ({
  connected: [readClientSecret, ...readShared('SharedWriteToken', 'SharedAdminToken')],
  standalone,
});

/** An operation whose scope is returns:admin. */
const administering = (...standalone: readonly Permission[]): Grants => ({
  connected: [readClientSecret, ...readShared('SharedAdminToken')],
  standalone,
});

/** What is of a deployment's own inbox, in both ways. */
const local = (...permissions: readonly Permission[]): Grants => ({ connected: permissions, standalone: permissions });

type OtherFunction =
  | 'receiveWebhook'
  | 'receiveEvents'
  | 'process'
  | 'sweepInbox'
  | 'reconcilePlatforms'
  | 'doctor'
  | 'refreshToken'
  | 'runJob'
  | 'publishEvents'
  | 'repairEvents'
  | 'expireReturns'
  | 'remindRefunds'
  | 'purgeInbox'
  | 'dailySummary'
  | 'verifyChains'
  | 'anchorChains'
  | 'applyRetention'
  | 'activatePolicies'
  | 'deliverEvents'
  | 'wakeEndpoints'
  | 'countReturns'
  | 'recountReturns';

/** Functions that are there only under a condition of the template. */
const conditions: Readonly<Partial<Record<string, string>>> = { refreshToken: whereShared };

const grants = {
  registerOrder: commanding(...register),
  getOrder: reading(getItem('PII#*'), query('ORDER#*')),
  getReturnable: reading(query('ORDER#*')),
  recordRefund: commanding(
    getItem('ORDER#*', 'RETURN#*'),
    query('ORDER#*'),
    transact('ORDER#*', 'RETURN#*'),
    ...readHistoryKeys,
  ),
  createReturn: commanding(...create, readSigningSecret),
  listReturns: reading(...lists, readSigningSecret),
  getReturn: reading(getItem('RETURN#*', 'PII#*'), query('RETURN#*', 'PII#*', 'ORDER#*'), onEvidence('GetObject')),
  updateReturn: commanding(
    getItem('RETURN#*', 'EXTERNAL#*'),
    query('ORDER#*'),
    transact('RETURN#*', 'EXTERNAL#*'),
    remove('EXTERNAL#*'),
    ...readHistoryKeys,
  ),
  approve: commanding(...commandWithTexts),
  reject: commanding(...commandWithTexts),
  requestInfo: commanding(...commandWithTexts),
  provideInfo: commanding(...commandWithTexts),
  addParcel: commanding(...commandWithTexts, transact('TRACKING#*')),
  updateParcel: commanding(...commandWithTexts, query('PII#*'), transact('TRACKING#*'), remove('TRACKING#*')),
  receive: commanding(...commandWithTexts),
  closeReceipt: commanding(...command),
  inspect: commanding(...commandWithTexts),
  grant: administering(...command),
  refund: commanding(...command),
  recordRefundResult: commanding(...command),
  exchange: commanding(...command),
  exchangeResult: commanding(...command),
  remindRefund: commanding(...command),
  waiveFee: administering(...command),
  recordRecovery: commanding(...command),
  writeOffRecovery: administering(...command),
  complete: commanding(...commandWithTexts),
  cancel: commanding(...commandWithTexts),
  expire: commanding(...command),
  reopen: administering(...commandWithTexts, ...decide, readDecisions, writeDecisions),
  correct: administering(...commandWithTexts),
  addNote: commanding(...commandWithTexts),
  addAttachment: commanding(...command, onEvidence('PutObject')),
  getHistory: reading(query('RETURN#*'), getItem('ERASED#*', 'PII#*'), readSigningSecret),
  verifyHistory: reading(getItem('RETURN#*'), query('RETURN#*'), ...readHistoryKeys),
  quoteReturn: reading(getItem('RETURN#*'), query('ORDER#*'), ...decide, readSigningSecret),
  getDecision: reading(getItem('DECISIONS#*', 'POLICY#*'), query('ORDER#*')),
  listPolicies: reading(getItem('POLICIES'), readSigningSecret),
  getPolicy: reading(getItem('POLICIES')),
  listVersions: reading(getItem('POLICIES'), query('POLICY#*'), readSigningSecret),
  getVersion: reading(readPolicies),
  diffVersions: reading(readPolicies),
  createPolicy: administering(readPolicies, writePolicies, ...answer),
  saveDraft: administering(readPolicies, writePolicies),
  lintDraft: administering(readPolicies, readReasons),
  testDraft: administering(readPolicies),
  backtestDraft: administering(readPolicies, ...newJob, onJobs('SendMessage')),
  shadowDraft: administering(readPolicies, writePolicies, ...answer),
  publish: administering(readPolicies, readReasons, writePolicies, ...answer),
  archive: administering(readPolicies, writePolicies, ...answer),
  listReasons: reading(readReasons),
  putReason: administering(readReasons, transact('REASONS')),
  createExport: administering(...newJob, onJobs('SendMessage')),
  eraseCustomer: administering(...newJob, onJobs('SendMessage')),
  listJobs: administering(...listing, readSigningSecret),
  getJob: administering(query('JOB#*'), transact('JOB#*'), onJobs('SendMessage'), onExports('GetObject')),
  cancelJob: administering(query('JOB#*'), transact('JOB#*'), ...answer),
  listEvents: reading(query('LOG#*'), getItems('LOG#*'), readPlaces, readSigningSecret),
  getSummary: administering(readCounters, queryByUpdate, queryByDeadline),
  getAnalytics: administering(readCounters, queryByUpdate),
  listDeliveries: local(...listInbox),
  // An address is signed without a call; who follows it may do this.
  getDelivery: local(getItem('INBOX#*'), onBodies('GetObject')),
  replay: local(...replay),
  replayRange: local(...replayRange),
  redrive: local(...redrive),
  createWebhookEndpoint: administering(
    getItem('ENDPOINTSMADE', secretsOfEndpoints, answers),
    getItems('LOG#*'),
    query('ENDPOINTS'),
    transact('ENDPOINTS', 'ENDPOINTSMADE', secretsOfEndpoints, answers),
  ),
  listWebhookEndpoints: administering(query('ENDPOINTS')),
  getWebhookEndpoint: administering(getEndpoint()),
  updateWebhookEndpoint: administering(getEndpoint(), transact('ENDPOINTS')),
  deleteWebhookEndpoint: administering(getEndpoint(), remove('ENDPOINTS', secretsOfEndpoints)),
  rotateWebhookSecret: administering(
    getEndpoint(secretsOfEndpoints, answers),
    transact('ENDPOINTS', secretsOfEndpoints, answers),
  ),
  testWebhookEndpoint: administering(getEndpoint(secretsOfEndpoints)),
  listWebhookDeliveries: administering(getEndpoint(), querySent, readSigningSecret),
  getWebhookDelivery: administering(getEndpoint('SENT#*'), readPlaces),
  redeliverWebhook: administering(getEndpoint('SENT#*', answers), transact(answers), onOutbox('SendMessage')),
  redeliverWebhooks: administering(
    getEndpoint(answers),
    querySent,
    transact(answers),
    readSigningSecret,
    onOutbox('SendMessage'),
  ),
  health: reading(getItem('PROBE')),
  asyncapi: reading(),
  openapi: { connected: [], standalone: [] },
  receiveWebhook: local(...receive),
  receiveEvents: local(...receiveEvents),
  process: {
    // Bringing a return to where a platform's is takes reading it, and now and then what only an admin may do.
    connected: [...workOff, readClientSecret, ...readShared('SharedReadToken', 'SharedWriteToken', 'SharedAdminToken')],
    standalone: [...workOff, nameDeliveries, ...follow],
  },
  sweepInbox: local(...sweep),
  reconcilePlatforms: local(...reconcile),
  runJob: { standalone: workOnJobs },
  publishEvents: { standalone: [...project, ...readStream, onOutbox('SendMessage')] },
  repairEvents: { standalone: [...repair, queryByUpdate] },
  expireReturns: {
    connected: [goOn, readClientSecret, ...readShared('SharedReadToken', 'SharedWriteToken')],
    standalone: [...command, goOn, summaries, queryByDeadline, readSigningSecret],
  },
  remindRefunds: {
    connected: [goOn, readClientSecret, ...readShared('SharedReadToken', 'SharedWriteToken')],
    standalone: [...command, goOn, ...readPersonal, summaries, queryByDeadline, readSigningSecret],
  },
  dailySummary: {
    connected: [goOn, readClientSecret, ...readShared('SharedAdminToken')],
    standalone: [goOn, transact('SUMMARY#*', 'UNLISTED'), readCounters, queryByUpdate],
  },
  purgeInbox: local(...purge),
  verifyChains: {
    connected: [goOn, readClientSecret, ...readShared('SharedReadToken')],
    standalone: [getItem('RETURN#*'), query('RETURN#*'), goOn, queryByUpdate, readSigningSecret, ...readHistoryKeys],
  },
  anchorChains: { standalone: anchor },
  applyRetention: { standalone: retain },
  activatePolicies: { standalone: [readPolicies, writePolicies] },
  deliverEvents: { standalone: deliver },
  wakeEndpoints: { standalone: wake },
  countReturns: { standalone: [...count, ...readStream] },
  recountReturns: { standalone: [...count, rememberChecked, queryByUpdate] },
  doctor: { connected: [readClientSecret, ...examine], standalone: examineStandalone },
  refreshToken: { connected: [readClientSecret, ...refreshShared] },
} satisfies Record<OperationName | OtherFunction, Grants>;

const statementOf = ({ resource, partitions, condition }: Permission, actions: readonly string[]) => {
  const statement = {
    Effect: 'Allow',
    Action: [...new Set(actions)].toSorted(),
    Resource: resource,
    ...(partitions && {
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        // ForAllValues holds for a request that names no key at all.
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    }),
  };
  return condition === undefined ? statement : { 'Fn::If': [condition, statement, { Ref: 'AWS::NoValue' }] };
};

/** One statement for each resource, or part of one. */
const statements = (permissions: readonly Permission[]) => {
  const byPlace = Map.groupBy(permissions, ({ resource, partitions }) => JSON.stringify([resource, partitions]));
  return [...byPlace.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [
          statementOf(
            first,
            group.flatMap(({ actions }) => actions),
          ),
        ];
  });
};

const capitalised = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const roleOf = (name: string, permissions: readonly Permission[]) => ({
  Type: 'AWS::IAM::Role',
  ...(conditions[name] && { Condition: conditions[name] }),
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    Policies: [
      {
        PolicyName: 'function',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: statements([
            on('logs', arnOf(`${capitalised(name)}LogGroup`))('CreateLogStream', 'PutLogEvents'),
            ...permissions,
          ]),
        },
      },
    ],
  },
});

/**
 * The roles of a way's functions, as CloudFormation resources: `ApproveRole` is the role of `approve`.
 *
 * @param names @default every function of the way
 * @throws when a function has no entry here, or an entry no function
 */
export const roleResources = (way: Way, names: readonly string[] = functionFiles(way).map(({ name }) => name)) => {
  const entries = new Map(
    Object.entries<Grants>(grants).flatMap(([name, { [way]: permissions }]): [string, readonly Permission[]][] =>
      permissions === undefined ? [] : [[name, permissions]],
    ),
  );
  const missing = names.find((name) => !entries.has(name));
  if (missing !== undefined)
    throw new Error(`lib/build/roles.ts does not say what ${missing} may do in the ${way} way`);
  const idle = [...entries.keys()].find((name) => !names.includes(name));
  if (idle !== undefined)
    throw new Error(`lib/build/roles.ts has an entry for ${idle}, which is no function of the ${way} way`);
  const roles = [...entries].map(([name, permissions]) => [`${capitalised(name)}Role`, roleOf(name, permissions)]);
  return { Resources: Object.fromEntries(roles) as Record<string, ReturnType<typeof roleOf>> };
};
