import { domainRules, evaluation } from './domain-rules.ts';
import { edgeRules } from './edge-rules.ts';
import { aws, type FolderRule, node, result, runtime } from './folder-rule.ts';
import { accessRules, adapterRules, shopsRules } from './outward-rules.ts';
import { serviceRules } from './service-rules.ts';
import { toolsRules } from './tools-rules.ts';

/*
 * The floor plan: the wings of lib, their rooms, and what each may import. The lint rules (layer-rules.ts) and the
 * picture in the guide are made from it. A folder without a row belongs to the nearest row above it.
 */

/** The rules by folder. A row applies to all files below its folder, except below the folder of a deeper row. */
export const folderRules: Readonly<Record<string, FolderRule>> = {
  functions: {
    rule: 'a function connects a trigger with one room',
    imports: [
      'lib/access/client/policy-text-function.ts',
      'lib/access/client/refresh-tokens.ts',
      'lib/access/client/rotate-client-secret.ts',
      'lib/access/client/withdraw-functions.ts',
      'lib/contract',
      'lib/domain/withdrawals/receipt/receipt-keys.ts',
      'lib/edge/authorizer',
      'lib/edge/http',
      'lib/edge/mcp',
      'lib/edge/webhooks',
      'lib/edge/withdraw-page',
      'lib/service/execution/key-ring.ts',
      'lib/service/execution/rotate-keys.ts',
      'lib/service/execution/signer.ts',
      'lib/service/jobs/run-job.ts',
      'lib/service/mails/send-mails.ts',
      'lib/service/outbox',
      'lib/service/schedules',
      'lib/service/statistics',
      'lib/service/write-back/write-back.ts',
      'lib/shops/inbox',
      'lib/shops/platforms/*.ts',
      'lib/shops/platforms/shared/http/sources.ts',
      'lib/tools/doctor/handler.ts',
    ],
    packages: ['#backend', '#validators/*', '@middy/core'],
    closed: ['functions'],
  },
  'lib/runtime': {
    rule: 'the runtime knows no other room',
    imports: [],
    packages: [node, '#log-sink', 'ulid'],
  },
  'lib/contract': { rule: 'the contract knows only the result type', imports: [result], packages: ['typebox'] },
  'lib/contract/validation': {
    rule: 'the validation of an input knows the contract',
    imports: ['lib/contract', 'lib/runtime/nearest.ts', result],
    packages: ['ajv'],
  },
  ...domainRules,
  ...accessRules,
  'lib/store': {
    rule: 'the store knows the domain and its engine',
    imports: [
      'lib/contract/fold-reference.ts',
      'lib/domain/events',
      'lib/domain/messages/mailing.ts',
      'lib/domain/policies',
      'lib/domain/returns',
      'lib/domain/withdrawals',
      'lib/domain/write-back',
      runtime,
    ],
    packages: [node, aws, '@smithy/signature-v4', 'ulid'],
  },
  ...shopsRules,
  ...adapterRules,
  ...serviceRules,
  ...edgeRules,
  'lib/console': {
    rule: 'the console knows the contract only: it runs in browsers',
    imports: ['lib/contract'],
    packages: ['preact', 'preact/*', '@preact/*', 'lean-qr/nano', 'oauth4webapi', '#contract/*'],
  },
  ...toolsRules,
};

/** Files that may import more, or less, than the row of their folder allows. */
export const exceptions: Readonly<Record<string, FolderRule>> = {
  'lib/edge/backend/{connected,forward}.ts': {
    rule: 'the connected side is the client and the port',
    imports: ['lib/access/client', 'lib/contract', 'lib/service/operations/inbox', runtime],
    packages: [node, '#contract/*'],
  },
  'lib/domain/policies/time/calendar.ts': {
    rule: 'days are counted here, by a Temporal polyfill, and in no other file',
    imports: [...evaluation.imports],
    packages: ['temporal-polyfill/fns/*'],
  },
  'lib/tools/doctor/cli.ts': {
    rule: 'the command knows what to examine and where a local stack is',
    imports: [
      'lib/tools/doctor',
      'lib/tools/local',
      'lib/access/net/clock.ts',
      'lib/access/secrets/own-secrets.ts',
      runtime,
    ],
    packages: [node],
  },
};
