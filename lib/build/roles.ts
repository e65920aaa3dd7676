import type { OperationName } from '../contract/schemas.ts';
import { functionFiles, type Way } from './functions.ts';

/*
 * What each function may do, in its way, and nothing else: one role a function. The local stack refuses what a role does
 * not permit, and test/build/roles-used.test.ts finds what is permitted for nothing. Encryption needs no grant: table,
 * buckets, queues and secrets are under keys that AWS manages, but for the shared tokens where the template is given a key. A
 * named secret under a key of one's own would need kms:Decrypt.
 */

/** Actions on one resource; of a table, where there are `partitions`, only on keys like those. */
type Permission = {
  readonly actions: readonly string[];
  /** Its ARN, as an intrinsic. */
  readonly resource: object;
  readonly partitions?: readonly string[];
  /** The condition of the template without which there is nothing to permit. */
  readonly condition?: string;
};

const arnOf = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });

const on =
  (service: string, resource: object) =>
  (...names: readonly string[]): Permission => ({ actions: names.map((name) => `${service}:${name}`), resource });

/** A secret that somebody else has made, by the parameter that names it: its ARN ends with six characters of AWS's. */
const namedSecret = (parameter: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:\${${parameter}}-??????`,
});

const readClientSecret = on('secretsmanager', namedSecret('ClientSecretId'))('GetSecretValue');
/** One secret a platform, below one name. */
const readShops = on('secretsmanager', {
  'Fn::Sub': 'arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:${PlatformSecrets}/*',
})('GetSecretValue');
const readSigningSecret = on('secretsmanager', { Ref: 'SigningSecret' })('GetSecretValue');

/** Resources and functions that are there only where containers share their tokens, under a key of one's own or not. */
const whereShared = 'SharesTokens';
const whereSharedByKey = 'SharesTokensByKey';

/** A token that all containers share is under a key of one's own where the template is given one. */
const onSharedKey = (...names: readonly string[]): Permission => ({
  ...on('kms', { Ref: 'SharedTokenKmsKeyArn' })(...names),
  condition: whereSharedByKey,
});
type SharedToken = 'SharedReadToken' | 'SharedWriteToken' | 'SharedAdminToken';
const onShared = (token: SharedToken, ...names: readonly string[]): Permission => ({
  ...on('secretsmanager', { Ref: token })(...names),
  condition: whereShared,
});
const readShared = (...tokens: readonly SharedToken[]): readonly Permission[] => [
  ...tokens.map((token) => onShared(token, 'GetSecretValue')),
  onSharedKey('Decrypt'),
];
/** It alone writes them. */
const refreshShared = [
  ...(['SharedReadToken', 'SharedWriteToken', 'SharedAdminToken'] as const).map((token) =>
    onShared(token, 'GetSecretValue', 'PutSecretValue'),
  ),
  onSharedKey('Decrypt', 'GenerateDataKey'),
];

const onTable = on('dynamodb', arnOf('Table'));
/** A return, a person, an external reference, the answer to an idempotency key. */
const getItem = onTable('GetItem');
/** A partition: an order with its ledger, a history, the texts of a return. */
const query = onTable('Query');
/** A transaction has no action of its own: it may do what its items may. */
const transact = onTable('PutItem');
const command = [getItem, query, transact];
/** The lists, each by its index, and the summaries of what an index holds only keys of. */
const queryIndexes = ['byOrder', 'byCustomer', 'byStatus', 'byCreation', 'byUpdate', 'byDeadline'].map((name) =>
  on('dynamodb', { 'Fn::Sub': `\${Table.Arn}/index/${name}` })('Query'),
);

/** The returns of an order. */
const queryByOrder = on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byOrder' })('Query');

/** How often a customer returned before, where a policy asks. */
const queryByCustomer = on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byCustomer' })('Query');

/** Files of evidence, which lie below their subject. Addresses are signed without a call; who follows one may do this. */
const onEvidence = on('s3', { 'Fn::Sub': '${EvidenceBucket.Arn}/pii/*' });

/** Everybody can post to the hooks: what answers there reaches deliveries, and nothing of the returns beside them. */
const inboxOnly = (permission: Permission, ...partitions: readonly string[]): Permission => ({
  ...permission,
  partitions,
});
const onInbox = on('sqs', arnOf('InboxQueue'));
/** Bodies of deliveries that are too large for their rows. */
const onBodies = on('s3', { 'Fn::Sub': '${InboxBucket.Arn}/deliveries/*' });
/** Without it S3 says of an object that is missing that it is forbidden. */
const knowMissingBodies = on('s3', arnOf('InboxBucket'))('ListBucket');
const onDeadLetters = on('sqs', arnOf('InboxDeadLetters'));
const listInbox = [
  inboxOnly(onTable('BatchGetItem'), 'INBOX#*'),
  inboxOnly(query, 'INBOXOF#*'),
  ...['byCreation', 'byStatus'].map((name) =>
    inboxOnly(on('dynamodb', { 'Fn::Sub': `\${Table.Arn}/index/${name}` })('Query'), 'DELIVERIES#*'),
  ),
];
const rememberAnswer = inboxOnly(onTable('GetItem', 'PutItem'), 'IDEMPOTENCY#*');
const replay = [inboxOnly(onTable('GetItem', 'UpdateItem'), 'INBOX#*'), rememberAnswer, onInbox('SendMessage')];
const replayRange = [
  inboxOnly(onTable('BatchGetItem', 'UpdateItem'), 'INBOX#*'),
  inboxOnly(query, 'INBOXOF#*'),
  inboxOnly(on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byStatus' })('Query'), 'DELIVERIES#*'),
  rememberAnswer,
  onInbox('SendMessage'),
];
const redrive = [
  ...replay,
  onDeadLetters('ReceiveMessage', 'ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes'),
];
const receive = [
  readShops,
  inboxOnly(onTable('GetItem', 'PutItem'), 'INBOX#*', 'INBOXBODY#*'),
  onBodies('PutObject'),
  onInbox('SendMessage'),
];
const onEvents = on('sqs', arnOf('EventsQueue'));
const receiveEvents = [
  ...receive,
  // Lambda's, which feeds the function under the function's own role, and puts aside what it failed at.
  onEvents('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
  on('sqs', arnOf('EventsDeadLetters'))('SendMessage'),
];
const workOff = [
  readShops,
  inboxOnly(onTable('GetItem', 'UpdateItem'), 'INBOX#*'),
  inboxOnly(transact, 'INBOXOF#*'),
  onBodies('GetObject'),
  knowMissingBodies,
  onInbox('ChangeMessageVisibility'),
  onDeadLetters('SendMessage'),
  // Lambda's, which feeds the function under the function's own role.
  onInbox('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];

/** Announces again what has waited too long: it learns of keys, and of nothing that was delivered. */
const sweep = [
  inboxOnly(on('dynamodb', { 'Fn::Sub': `\${Table.Arn}/index/byDeadline` })('Query'), 'DELIVERIES#*'),
  inboxOnly(onTable('UpdateItem'), 'INBOX#*'),
  onInbox('SendMessage'),
];

/** Puts into the inbox what shops tell when they are asked. */
const reconcile = [
  readShops,
  inboxOnly(onTable('GetItem', 'PutItem'), 'INBOX#*', 'RECONCILE#*'),
  onInbox('SendMessage'),
];

/** Deletes what its time is over of, and what leads there. */
const purge = [
  inboxOnly(on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byCreation' })('Query'), 'DELIVERIES#*'),
  inboxOnly(onTable('BatchGetItem', 'DeleteItem'), 'INBOX#*'),
  inboxOnly(onTable('DeleteItem'), 'INBOXOF#*', 'INBOXBODY#*'),
];

/** How far a schedule has come. */
const goOn = inboxOnly(onTable('GetItem', 'PutItem'), 'SCHEDULE#*');
const queryByDeadline = on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byDeadline' })('Query');
const queryByUpdate = on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byUpdate' })('Query');

const onJobs = on('sqs', arnOf('JobsQueue'));
/** Files of exports. */
const onExports = on('s3', { 'Fn::Sub': '${ExportBucket.Arn}/exports/*' });
const takeOut = [
  on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byCreation' })('Query'),
  onTable('BatchGetItem'),
  onExports('PutObject'),
];
/** It alone deletes what is personal, and nothing but that. */
const erase = [
  queryByOrder,
  queryByCustomer,
  inboxOnly(onTable('DeleteItem'), 'PII#*', 'INBOX#*', 'INBOXOF#*', 'INBOXBODY#*'),
  onEvidence('DeleteObject'),
  on('s3', arnOf('EvidenceBucket'))('ListBucket'),
  onBodies('DeleteObject'),
];
const workOnJobs = [
  getItem,
  query,
  transact,
  ...takeOut,
  ...erase,
  onJobs('SendMessage'),
  // Lambda's, as above.
  onJobs('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];

/** Carries what happened to the bus and into the logs. */
const project = [getItem, query, transact, onTable('BatchGetItem'), on('events', arnOf('EventBus'))('PutEvents')];
/** Lambda's, which feeds the function from the table's stream under the function's own role. */
const readStream = [
  on('dynamodb', { 'Fn::GetAtt': ['Table', 'StreamArn'] })(
    'GetRecords',
    'GetShardIterator',
    'DescribeStream',
    'ListStreams',
  ),
  on('sqs', arnOf('StreamDeadLetters'))('SendMessage'),
];

/** Webhook endpoints are read by their key; their secrets stand in partitions of their own. */
const keyed = inboxOnly;
const onOutbox = on('sqs', arnOf('OutboxQueue'));
const getEndpoint = (...others: readonly string[]) => keyed(getItem, 'ENDPOINTS', ...others);
/** What an endpoint was sent. */
const querySent = keyed(query, 'SENT#*');
const secretsOfEndpoints = 'ENDPOINTSECRETS#*';
const answers = 'IDEMPOTENCY#*';
/** All that is told of; nothing else stands in its partitions but what the same callers may read. */
const places = ['RETURN#*', 'POLICY#*', 'ENDPOINT#*', 'ERASURE#*', 'SUMMARY#*'];

/** It talks to strangers: of all that is kept it reaches what happened, endpoints, and what became of events. */
const deliver = [
  inboxOnly(getItem, 'ENDPOINTS', 'ENDPOINTSECRETS#*', 'FEED#*', 'SENT#*'),
  inboxOnly(query, 'LOG#*', 'LANES#*', ...places),
  inboxOnly(transact, 'ENDPOINTS', 'ENDPOINT#*', 'LANES#*', 'SENT#*'),
  inboxOnly(onTable('UpdateItem'), 'FEED#*'),
  inboxOnly(onTable('DeleteItem'), 'FEED#*', 'LANES#*'),
  onOutbox('SendMessage'),
  // Lambda's, as above.
  onOutbox('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];
const wake = [
  inboxOnly(query, 'ENDPOINTS'),
  inboxOnly(onTable('BatchGetItem'), 'LOG#*', 'FEED#*'),
  onOutbox('SendMessage'),
];
/** Who counts reaches counters, and what is counted of returns: the returns themselves are read, and never written. */
const countingOnly = inboxOnly;
const readCounters = countingOnly(query, 'STATS#*');
const count = [
  countingOnly(onTable('BatchGetItem'), 'RETURN#*'),
  countingOnly(onTable('BatchGetItem', 'PutItem'), 'COUNTED#*'),
  countingOnly(onTable('UpdateItem'), 'STATS#*'),
];
/** Where it was: one item for each part of the returns. */
const rememberChecked = countingOnly(onTable('GetItem', 'PutItem'), 'STATS#RECOUNT');

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
  | 'verifyChains'
  | 'activatePolicies'
  | 'deliverEvents'
  | 'wakeEndpoints'
  | 'countReturns'
  | 'recountReturns';

/** Functions that are there only under a condition of the template. */
const conditions: Readonly<Partial<Record<string, string>>> = { refreshToken: whereShared };

const grants = {
  registerOrder: commanding(...command, queryByOrder, queryByCustomer),
  getOrder: reading(getItem, query),
  getReturnable: reading(query),
  recordRefund: commanding(...command),
  createReturn: commanding(...command, queryByCustomer, readSigningSecret),
  listReturns: reading(getItem, onTable('BatchGetItem'), query, ...queryIndexes, readSigningSecret),
  getReturn: reading(getItem, query, onEvidence('GetObject')),
  updateReturn: commanding(getItem, onTable('PutItem', 'DeleteItem')),
  approve: commanding(...command),
  reject: commanding(...command),
  requestInfo: commanding(...command),
  provideInfo: commanding(...command),
  addParcel: commanding(...command),
  updateParcel: commanding(...command, onTable('DeleteItem')),
  receive: commanding(...command),
  closeReceipt: commanding(...command),
  inspect: commanding(...command),
  grant: administering(...command),
  refund: commanding(...command),
  recordRefundResult: commanding(...command),
  exchange: commanding(...command),
  exchangeResult: commanding(...command),
  remindRefund: commanding(...command),
  waiveFee: administering(...command),
  recordRecovery: commanding(...command),
  writeOffRecovery: administering(...command),
  complete: commanding(...command),
  cancel: commanding(...command),
  expire: commanding(...command),
  reopen: administering(...command, queryByCustomer),
  correct: administering(...command),
  addNote: commanding(...command),
  addAttachment: commanding(...command, onEvidence('PutObject')),
  getHistory: reading(query, readSigningSecret),
  verifyHistory: reading(getItem, query),
  quoteReturn: reading(getItem, query, queryByCustomer, readSigningSecret),
  getDecision: reading(getItem),
  listPolicies: reading(getItem, readSigningSecret),
  getPolicy: reading(getItem),
  listVersions: reading(getItem, query, readSigningSecret),
  getVersion: reading(getItem),
  diffVersions: reading(getItem),
  createPolicy: administering(getItem, transact),
  saveDraft: administering(getItem, transact),
  lintDraft: administering(getItem),
  testDraft: administering(getItem),
  backtestDraft: administering(getItem, query, transact, onJobs('SendMessage')),
  shadowDraft: administering(getItem, transact),
  publish: administering(getItem, transact),
  archive: administering(getItem, transact),
  listReasons: reading(getItem),
  putReason: administering(getItem, transact),
  createExport: administering(getItem, query, transact, onJobs('SendMessage')),
  eraseCustomer: administering(getItem, query, transact, onJobs('SendMessage')),
  getJob: administering(query, transact, onJobs('SendMessage'), onExports('GetObject')),
  cancelJob: administering(query, getItem, transact),
  listEvents: reading(query, onTable('BatchGetItem'), readSigningSecret),
  getSummary: administering(readCounters, queryByUpdate, queryByDeadline),
  getAnalytics: administering(readCounters, queryByUpdate),
  listDeliveries: local(...listInbox),
  // An address is signed without a call; who follows it may do this.
  getDelivery: local(inboxOnly(getItem, 'INBOX#*'), onBodies('GetObject')),
  replay: local(...replay),
  replayRange: local(...replayRange),
  redrive: local(...redrive),
  createWebhookEndpoint: administering(
    keyed(getItem, 'ENDPOINTSMADE', secretsOfEndpoints, answers),
    keyed(onTable('BatchGetItem'), 'LOG#*'),
    keyed(query, 'ENDPOINTS'),
    keyed(transact, 'ENDPOINTS', 'ENDPOINTSMADE', secretsOfEndpoints, answers),
  ),
  listWebhookEndpoints: administering(keyed(query, 'ENDPOINTS')),
  getWebhookEndpoint: administering(getEndpoint()),
  updateWebhookEndpoint: administering(getEndpoint(), keyed(transact, 'ENDPOINTS')),
  deleteWebhookEndpoint: administering(getEndpoint(), keyed(onTable('DeleteItem'), 'ENDPOINTS', secretsOfEndpoints)),
  rotateWebhookSecret: administering(
    getEndpoint(secretsOfEndpoints, answers),
    keyed(transact, 'ENDPOINTS', secretsOfEndpoints, answers),
  ),
  testWebhookEndpoint: administering(getEndpoint(secretsOfEndpoints)),
  listWebhookDeliveries: administering(getEndpoint(), querySent, readSigningSecret),
  getWebhookDelivery: administering(getEndpoint('SENT#*'), keyed(onTable('BatchGetItem'), ...places)),
  redeliverWebhook: administering(getEndpoint('SENT#*', answers), keyed(transact, answers), onOutbox('SendMessage')),
  redeliverWebhooks: administering(
    getEndpoint(answers),
    querySent,
    keyed(transact, answers),
    readSigningSecret,
    onOutbox('SendMessage'),
  ),
  health: reading(getItem),
  openapi: { connected: [], standalone: [] },
  receiveWebhook: local(...receive),
  receiveEvents: local(...receiveEvents),
  process: {
    // Bringing a return to where a platform's is takes reading it, and now and then what only an admin may do.
    connected: [...workOff, readClientSecret, ...readShared('SharedReadToken', 'SharedWriteToken', 'SharedAdminToken')],
    standalone: [...workOff, ...command, onTable('BatchGetItem'), queryByOrder, queryByCustomer],
  },
  sweepInbox: local(...sweep),
  reconcilePlatforms: local(...reconcile),
  runJob: { standalone: workOnJobs },
  publishEvents: { standalone: [...project, ...readStream] },
  repairEvents: { standalone: [...project, queryByUpdate] },
  expireReturns: {
    connected: [goOn, readClientSecret, ...readShared('SharedReadToken', 'SharedWriteToken')],
    standalone: [...command, onTable('BatchGetItem'), queryByDeadline, readSigningSecret],
  },
  remindRefunds: {
    connected: [goOn, readClientSecret, ...readShared('SharedReadToken', 'SharedWriteToken')],
    standalone: [...command, onTable('BatchGetItem'), queryByDeadline, readSigningSecret],
  },
  purgeInbox: local(...purge),
  verifyChains: {
    connected: [goOn, readClientSecret, ...readShared('SharedReadToken')],
    standalone: [getItem, query, transact, queryByUpdate, readSigningSecret],
  },
  activatePolicies: { standalone: [getItem, transact] },
  deliverEvents: { standalone: deliver },
  wakeEndpoints: { standalone: wake },
  countReturns: { standalone: [...count, ...readStream] },
  recountReturns: { standalone: [...count, rememberChecked, queryByUpdate] },
  doctor: { connected: [readClientSecret] },
  refreshToken: { connected: [readClientSecret, ...refreshShared] },
} satisfies Record<OperationName | OtherFunction, Grants>;

const statementOf = ({ resource, partitions, condition }: Permission, actions: readonly string[]) => {
  const statement = {
    Effect: 'Allow',
    Action: [...new Set(actions)].toSorted(),
    Resource: resource,
    ...(partitions && { Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } } }),
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
