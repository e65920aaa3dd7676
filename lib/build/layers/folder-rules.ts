/*
 * The floor plan: the folders and packages that each folder may import. The lint rules (layer-rules.ts) and the picture
 * in the README are made from it. A folder without a row belongs to the nearest row above it.
 */

/** A folder, and the imports that its files may have. */
export type FolderRule = {
  /** The message of lint for another import. */
  readonly rule: string;
  /** Folders with everything below them, files, or files by a pattern such as `lib/platforms/*.ts`. */
  readonly imports: readonly string[];
  /** Packages, and modules of Node.js as `node:*`. @default none */
  readonly packages?: readonly string[];
  /** Parts of the folder that its own files may not import, such as sibling folders of `lib/policies`. */
  readonly closed?: readonly string[];
};

const domain = ['lib/money', 'lib/returns'];
const runtime = 'lib/runtime';
const node = 'node:*';
const aws = '@aws-sdk/*';

const returnsFolder: FolderRule = {
  rule: 'the domain is pure, and only commands know commands',
  imports: ['lib/money', 'lib/returns'],
  packages: ['node:crypto'],
  closed: ['lib/returns/commands'],
};

const aroundEvaluation: FolderRule = {
  rule: 'the domain is pure: what surrounds an evaluation knows policies, money and returns',
  imports: ['lib/policies', ...domain],
  packages: ['node:crypto'],
};

const evaluation: FolderRule = {
  rule: 'the domain is pure: a folder of policies knows policies, time, countries and returns',
  imports: [
    'lib/policies/*.ts',
    'lib/policies/time',
    'lib/runtime/country.ts',
    'lib/runtime/instant.ts',
    'lib/returns',
  ],
};

const lawReaders: FolderRule = {
  rule: 'the law has its own folder, and these folders know no evaluation',
  imports: [...evaluation.imports, 'lib/policies/law', 'lib/runtime/nearest.ts'],
};

const platformFolder: FolderRule = {
  rule: 'a platform knows the contract, the law of withdrawals and how to reach its shops',
  imports: [
    'lib/platforms/*.ts',
    'lib/platforms/shared',
    'lib/contract',
    'lib/money',
    'lib/net',
    'lib/oauth',
    'lib/policies/law/statutory-rules.ts',
    'lib/secrets',
    runtime,
  ],
  packages: [node],
};

/** The rules by folder. A row applies to all files below its folder, except below the folder of a deeper row. */
export const folderRules: Readonly<Record<string, FolderRule>> = {
  functions: {
    rule: 'a function connects a trigger with one room',
    imports: [
      'lib/anchors',
      'lib/authorizer',
      'lib/client/refresh-tokens.ts',
      'lib/client/rotate-client-secret.ts',
      'lib/client/withdraw-functions.ts',
      'lib/execution/key-ring.ts',
      'lib/execution/signer.ts',
      'lib/execution/rotate-keys.ts',
      'lib/contract',
      'lib/doctor/handler.ts',
      'lib/http',
      'lib/inbox',
      'lib/jobs/run-job.ts',
      'lib/outbox',
      'lib/platforms/*.ts',
      'lib/retention',
      'lib/schedules',
      'lib/statistics',
      'lib/withdrawals/receipt/receipt-keys.ts',
    ],
    packages: ['#backend', '#validators/*', '@middy/core'],
    closed: ['functions'],
  },
  'lib/contract': { rule: 'the contract imports only itself', imports: [], packages: ['typebox'] },
  'lib/money': { rule: 'the domain is pure', imports: [] },
  'lib/returns': {
    rule: 'the domain is pure: it imports only itself',
    imports: ['lib/money', 'lib/runtime/country.ts'],
    packages: ['node:crypto'],
  },
  'lib/returns/model': { rule: 'the types of the domain depend on no rule', imports: ['lib/money'] },
  'lib/returns/goods': returnsFolder,
  'lib/returns/history': returnsFolder,
  'lib/returns/money': returnsFolder,
  'lib/returns/rules': returnsFolder,
  'lib/policies': {
    rule: 'the types of policies depend on no folder of policies',
    imports: ['lib/returns'],
    closed: ['lib/policies/*'],
  },
  'lib/policies/check': evaluation,
  'lib/policies/evaluate': evaluation,
  'lib/policies/law': evaluation,
  'lib/policies/time': evaluation,
  'lib/policies/lint': lawReaders,
  'lib/policies/terms': lawReaders,
  'lib/policies/backtest': aroundEvaluation,
  'lib/policies/decision': aroundEvaluation,
  'lib/policies/life': aroundEvaluation,
  'lib/policies/templates': aroundEvaluation,
  'lib/texts': {
    rule: 'texts for customers are made from decisions of the domain, and know no store',
    imports: [...domain, 'lib/policies/*.ts', 'lib/policies/time'],
  },
  'lib/withdrawals': {
    rule: 'the domain of withdrawals is pure: it knows the domain of returns and texts',
    imports: [...domain, 'lib/texts', 'lib/runtime/escape-html.ts'],
    packages: ['node:crypto'],
  },
  'lib/withdrawals/effect': {
    rule: 'the effect of a withdrawal is pure: it knows the law, orders and withdrawals',
    imports: [...domain, 'lib/policies/law', 'lib/withdrawals/history', 'lib/withdrawals/model'],
  },
  'lib/events': {
    rule: 'domain events are pure: they know the domain',
    imports: ['lib/returns', 'lib/policies/life'],
    packages: ['node:crypto', 'ulid'],
  },
  'lib/runtime': {
    rule: 'the runtime knows no other room',
    imports: [],
    packages: [node, '#log-sink', 'ulid'],
  },
  'lib/store': {
    rule: 'the store knows the domain and its engine',
    imports: ['lib/events', 'lib/store/jobs/job.ts', 'lib/policies', 'lib/returns', 'lib/withdrawals', runtime],
    packages: [node, aws, '@smithy/signature-v4', 'ulid'],
  },
  'lib/net': {
    rule: 'outgoing HTTP does not know its content',
    imports: [runtime],
    packages: [node, 'undici'],
  },
  'lib/secrets': { rule: 'secrets do not know their use', imports: ['lib/net', runtime], packages: [node, aws] },
  'lib/oauth': {
    rule: 'access to other services does not know returns',
    imports: ['lib/net', 'lib/secrets', runtime],
    packages: [node],
  },
  'lib/client': {
    rule: 'the client knows the contract and how to reach the service',
    imports: ['lib/contract', 'lib/net', 'lib/oauth', 'lib/secrets', runtime],
    packages: [node, aws, '@smithy/signature-v4', 'aws-lambda'],
  },
  'lib/backend': {
    rule: 'the connected side is the client, the standalone side is the service',
    imports: ['lib/contract', 'lib/client', 'lib/service', 'lib/inbox/operations', runtime],
    packages: [node, '#contract/*'],
  },
  'lib/personal': {
    rule: 'personal texts know the domain and the store',
    imports: [...domain, 'lib/store', runtime],
    packages: [node],
  },
  'lib/views': {
    rule: 'views show what the store and the domain hold',
    imports: ['lib/contract', ...domain, 'lib/policies', 'lib/withdrawals', 'lib/events', 'lib/store', 'lib/personal'],
    packages: [node],
  },
  'lib/execution': {
    rule: 'the execution of a command knows the domain, the store and the views',
    imports: [
      'lib/contract',
      ...domain,
      'lib/events',
      'lib/store',
      'lib/personal',
      'lib/views',
      'lib/net',
      'lib/secrets',
      runtime,
    ],
    packages: [node, 'aws-lambda', 'ulid'],
  },
  'lib/service': {
    rule: 'the service is the domain, the store and the execution',
    imports: [
      'lib/contract',
      ...domain,
      'lib/policies',
      'lib/withdrawals',
      'lib/texts',
      'lib/events',
      'lib/store',
      'lib/personal',
      'lib/views',
      'lib/execution',
      'lib/outbox',
      'lib/statistics',
      'lib/jobs/queue.ts',
      'lib/inbox/operations',
      'lib/http/with-validation.ts',
      runtime,
    ],
    packages: [node, '#contract/*', '#validators/*'],
  },
  'lib/http': {
    rule: 'the pipeline knows the contract and the port',
    imports: ['lib/contract', 'lib/withdrawals/page', runtime],
    packages: [node, '@middy/core', 'aws-lambda', 'ajv', '#contract/*'],
  },
  'lib/console': {
    rule: 'the console knows the contract only: it runs in browsers',
    imports: ['lib/contract'],
    packages: ['preact', 'preact/*', '@preact/*', 'oauth4webapi', '#contract/*'],
  },
  'lib/authorizer': {
    rule: 'the authorizer knows the scopes of the contract and how to reach the issuer',
    imports: ['lib/contract', 'lib/http/token-claims.ts', 'lib/net', runtime],
    packages: ['jose', 'aws-lambda', '#contract/*'],
  },
  'lib/platforms': { ...platformFolder, imports: [...platformFolder.imports, 'lib/platforms'] },
  'lib/platforms/*': platformFolder,
  'lib/platforms/shared': platformFolder,
  'lib/inbox': {
    rule: 'the inbox reaches returns only through the port',
    imports: [
      'lib/contract',
      'lib/http',
      'lib/platforms/*.ts',
      'lib/platforms/shared/http/sources.ts',
      'lib/platforms/shared/sync',
      'lib/store',
      'lib/net',
      'lib/secrets/secret.ts',
      'lib/withdrawals/same-name.ts',
      runtime,
    ],
    packages: [node, aws, 'aws-lambda', '#backend', '#validators/*'],
  },
  'lib/inbox/operations': {
    rule: 'operations of the inbox work in both modes: they know the store, the queues and the execution',
    imports: [
      'lib/contract',
      'lib/execution',
      'lib/inbox/queue.ts',
      'lib/inbox/dead-letters.ts',
      'lib/returns/history/canonical-json.ts',
      'lib/store',
      runtime,
    ],
    packages: [node],
  },
  'lib/outbox': {
    rule: 'the outbox publishes domain events and changes none',
    imports: ['lib/events', 'lib/returns/history', 'lib/store', 'lib/net', runtime],
    packages: [node, aws, 'aws-lambda', 'undici'],
  },
  'lib/jobs': {
    rule: 'jobs know the domain, the store and their queue, and reach commands through the port',
    imports: ['lib/contract', 'lib/returns', 'lib/policies', 'lib/events', 'lib/store', 'lib/views/views.ts', runtime],
    packages: [aws, 'aws-lambda'],
  },
  'lib/statistics': {
    rule: 'statistics know the domain and the store',
    imports: ['lib/returns', 'lib/store', runtime],
    packages: ['node:timers/promises', 'aws-lambda'],
  },
  'lib/schedules': {
    rule: 'schedules reach returns only through the port',
    imports: [
      'lib/contract',
      'lib/events',
      'lib/execution/key-ring.ts',
      'lib/http',
      'lib/personal/customer-search.ts',
      'lib/personal/text-references.ts',
      'lib/policies',
      'lib/returns/history/mac.ts',
      'lib/returns/model',
      'lib/returns/rules',
      'lib/store',
      'lib/withdrawals',
      runtime,
    ],
    packages: [node, 'aws-lambda', '#validators/*'],
  },
  'lib/anchors': {
    rule: 'anchors publish roots of histories',
    imports: ['lib/events', 'lib/returns', 'lib/schedules', 'lib/store', runtime],
    packages: [node, 'aws-lambda'],
  },
  'lib/retention': {
    rule: 'retention deletes what the store holds',
    imports: ['lib/returns', 'lib/schedules', 'lib/store', 'lib/withdrawals', runtime],
    packages: [node, 'aws-lambda'],
  },
  'lib/doctor': {
    rule: 'the doctor uses the code that the functions use',
    imports: [
      'lib/client/outgoing.ts',
      'lib/contract',
      'lib/events',
      'lib/net',
      'lib/oauth',
      'lib/platforms/*.ts',
      'lib/platforms/shared/http',
      'lib/secrets',
      'lib/store',
      runtime,
    ],
    packages: [node, aws, 'aws-lambda', '#doctor'],
  },
  'lib/cli': {
    rule: 'the command line knows the contract, the client, the doctor and the verification',
    imports: [
      'lib/client',
      'lib/contract',
      'lib/doctor',
      'lib/money/currency.ts',
      'lib/net/clock.ts',
      'lib/secrets',
      'lib/verify',
      runtime,
    ],
    packages: [node, 'commander'],
  },
  'lib/deploy/functions': {
    rule: 'the tables of the deployment know the contract, and no code that is deployed',
    imports: ['lib/contract', 'lib/deploy/permissions'],
  },
  'lib/deploy/permissions': { rule: 'permissions know nothing that is deployed', imports: [] },
  'lib/deploy/alarms': {
    rule: 'alarms follow from the tables of the deployment',
    imports: ['lib/deploy/functions', 'lib/deploy/functions.ts', 'lib/deploy/permissions', 'lib/deploy/queues.ts'],
  },
};

/** Files that may import more, or less, than the row of their folder allows. */
export const exceptions: Readonly<Record<string, FolderRule>> = {
  'lib/backend/{connected,forward}.ts': {
    rule: 'the connected side is the client and the port',
    imports: ['lib/contract', 'lib/client', 'lib/inbox/operations', runtime],
    packages: [node],
  },
  'lib/policies/time/calendar.ts': {
    rule: 'days are counted here, by a Temporal polyfill, and in no other file',
    imports: [...evaluation.imports],
    packages: ['temporal-polyfill/fns/*'],
  },
  'lib/deploy/{functions,queues,observability,token-parameters}.ts': {
    rule: 'the tables of the deployment know the contract, and no code that is deployed',
    imports: ['lib/deploy/functions', 'lib/deploy/permissions', 'lib/deploy/token-parameters.ts'],
  },
  'lib/doctor/{cli,stack-environment}.ts': {
    rule: 'the command knows what to examine and where a local stack is',
    imports: ['lib/doctor', runtime, 'lib/cli', 'lib/local', 'lib/net/clock.ts', 'lib/secrets/own-secrets.ts'],
    packages: [node],
  },
};
