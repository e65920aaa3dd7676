import { aws, domain, domainRooms, type FolderRule, node, runtime } from './folder-rule.ts';

/** The standalone mode. */
export const serviceRules: Readonly<Record<string, FolderRule>> = {
  'lib/service': { rule: 'the service is the domain and the store', imports: ['lib/contract', 'lib/store', runtime] },
  'lib/service/views': {
    rule: 'views show what the store and the domain hold',
    imports: [
      'lib/contract',
      ...domain,
      'lib/domain/events',
      'lib/domain/policies',
      'lib/domain/withdrawals',
      'lib/store',
    ],
    packages: [node],
  },
  'lib/service/execution': {
    rule: 'the execution of a command knows the domain, the store and the views',
    imports: [
      'lib/service/views',
      'lib/access/net',
      'lib/access/secrets',
      'lib/contract',
      ...domain,
      'lib/domain/events',
      'lib/store',
      runtime,
    ],
    packages: [node, 'aws-lambda', 'ulid'],
  },
  'lib/service/operations': {
    rule: 'an operation is the domain, the store and the execution',
    imports: [
      'lib/service/execution',
      'lib/service/jobs/queue.ts',
      'lib/service/outbox',
      'lib/service/statistics',
      'lib/service/views',
      'lib/contract',
      ...domainRooms,
      'lib/store',
      runtime,
    ],
    packages: [node, '#contract/*', '#validators/*'],
  },
  'lib/service/operations/inbox': {
    rule: 'operations of the inbox work in both modes: they know the store, the queues and the execution',
    imports: [
      'lib/service/execution',
      'lib/contract',
      'lib/domain/returns/history/canonical-json.ts',
      'lib/shops/inbox/dead-letters.ts',
      'lib/shops/inbox/queue.ts',
      'lib/store',
      runtime,
    ],
    packages: [node],
  },
  'lib/service/outbox': {
    rule: 'the outbox publishes domain events and changes none',
    imports: ['lib/access/net', 'lib/domain/events', 'lib/domain/returns/history', 'lib/store', runtime],
    packages: [node, aws, 'aws-lambda', 'undici'],
  },
  'lib/service/jobs': {
    rule: 'jobs know the domain, the store and their queue, and reach commands through the port',
    imports: [
      'lib/service/views/views.ts',
      'lib/contract',
      'lib/domain/events',
      'lib/domain/policies',
      'lib/domain/returns',
      'lib/store',
      runtime,
    ],
    packages: [aws, 'aws-lambda'],
  },
  'lib/service/statistics': {
    rule: 'statistics know the domain and the store',
    imports: ['lib/domain/returns', 'lib/store', runtime],
    packages: ['node:timers/promises', 'aws-lambda'],
  },
  'lib/service/schedules': {
    rule: 'schedules reach returns only through the port',
    imports: [
      'lib/service/execution/key-ring.ts',
      'lib/contract',
      'lib/domain/events',
      'lib/domain/policies',
      'lib/domain/returns/history/mac.ts',
      'lib/domain/returns/model',
      'lib/domain/returns/rules',
      'lib/domain/withdrawals',
      'lib/store',
      runtime,
    ],
    packages: [node, 'aws-lambda', '#validators/*'],
  },
  'lib/service/schedules/anchors': {
    rule: 'anchors publish roots of histories',
    imports: ['lib/service/schedules/*.ts', 'lib/domain/events', 'lib/domain/returns', 'lib/store', runtime],
    packages: [node, 'aws-lambda'],
  },
  'lib/service/schedules/retention': {
    rule: 'retention deletes what the store holds',
    imports: ['lib/service/schedules/*.ts', 'lib/domain/returns', 'lib/domain/withdrawals', 'lib/store', runtime],
    packages: [node, 'aws-lambda'],
  },
};
