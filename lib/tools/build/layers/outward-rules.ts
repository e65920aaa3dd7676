import { aws, type FolderRule, node, runtime } from './folder-rule.ts';

const platformFolder: FolderRule = {
  rule: 'a platform knows the contract, the law of withdrawals and how to reach its shops',
  imports: [
    'lib/shops/platforms/*.ts',
    'lib/shops/platforms/shared',
    'lib/access/net',
    'lib/access/oauth',
    'lib/access/secrets',
    'lib/contract',
    'lib/domain/money',
    'lib/domain/policies/law/statutory-rules.ts',
    'lib/domain/withdrawals/same-name.ts',
    'lib/domain/write-back/actions.ts',
    runtime,
  ],
  packages: [node],
};

/** How functions reach others. */
export const accessRules: Readonly<Record<string, FolderRule>> = {
  'lib/access': { rule: 'the access to others does not know returns', imports: [runtime], packages: [node] },
  'lib/access/net': {
    rule: 'outgoing HTTP does not know its content',
    imports: [runtime],
    packages: [node, 'undici'],
  },
  'lib/access/secrets': {
    rule: 'secrets do not know their use',
    imports: ['lib/access/net', runtime],
    packages: [node, aws],
  },
  'lib/access/queues': {
    rule: 'queues do not know their messages',
    imports: [runtime],
    packages: [aws],
  },
  'lib/access/oauth': {
    rule: 'access to other services does not know returns',
    imports: ['lib/access/net', 'lib/access/secrets', runtime],
    packages: [node],
  },
  'lib/access/client': {
    rule: 'the client knows the contract and how to reach the service',
    imports: ['lib/access/net', 'lib/access/oauth', 'lib/access/secrets', 'lib/contract', runtime],
    packages: [node, aws, '@smithy/signature-v4', 'aws-lambda', '#contract/*'],
  },
};

/** What shops send, and how functions reach shops. */
export const shopsRules: Readonly<Record<string, FolderRule>> = {
  'lib/shops': { rule: 'shops are platforms and the inbox', imports: ['lib/contract', runtime] },
  'lib/shops/platforms': { ...platformFolder, imports: [...platformFolder.imports, 'lib/shops/platforms'] },
  'lib/shops/platforms/*': platformFolder,
  'lib/shops/platforms/shared': platformFolder,
  'lib/shops/inbox': {
    rule: 'the inbox reaches returns only through the port',
    imports: [
      'lib/shops/platforms/*.ts',
      'lib/shops/platforms/shared/http/sources.ts',
      'lib/shops/platforms/shared/sync',
      'lib/access/net',
      'lib/access/queues',
      'lib/access/secrets/secret.ts',
      'lib/contract',
      'lib/domain/withdrawals/same-name.ts',
      'lib/store',
      runtime,
    ],
    packages: [node, aws, 'aws-lambda', '#backend', '#validators/*'],
  },
};

/** How connected mode speaks to a Returns Service with another API. */
export const adapterRules: Readonly<Record<string, FolderRule>> = {
  'lib/adapters': {
    rule: 'the runner of adapters knows the contract, the service and the journal',
    imports: [
      'lib/access/client',
      'lib/contract',
      'lib/domain/money',
      'lib/domain/returns/history/canonical-json.ts',
      'lib/domain/returns/model/status.ts',
      'lib/domain/returns/rules/states.ts',
      'lib/store/connected',
      'lib/store/engine',
      runtime,
    ],
    packages: [node],
  },
  'lib/adapters/*': {
    rule: 'an adapter knows the types of adapters and its service',
    imports: ['lib/adapters/*.ts', 'lib/contract'],
  },
};
