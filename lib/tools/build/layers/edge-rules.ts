import { type FolderRule, node, runtime } from './folder-rule.ts';

/** What answers HTTP. */
export const edgeRules: Readonly<Record<string, FolderRule>> = {
  'lib/edge': { rule: 'the edge answers HTTP', imports: ['lib/contract', runtime], packages: ['aws-lambda'] },
  'lib/edge/http': {
    rule: 'the pipeline knows the contract and the port',
    imports: ['lib/contract', runtime],
    packages: [node, '@middy/core', 'aws-lambda', 'ajv', '#contract/*'],
  },
  'lib/edge/withdraw-page': {
    rule: 'the page for withdrawals knows the pipeline and what a receipt says',
    imports: [
      'lib/edge/http',
      'lib/contract',
      'lib/domain/returns',
      'lib/domain/texts',
      'lib/domain/withdrawals',
      runtime,
    ],
    packages: [node, 'aws-lambda'],
  },
  'lib/edge/webhooks': {
    rule: 'a receiver of webhooks knows the pipeline, the platforms and the inbox',
    imports: [
      'lib/edge/http',
      'lib/access/secrets/secret.ts',
      'lib/contract',
      'lib/shops/inbox',
      'lib/shops/platforms/*.ts',
      'lib/store/engine',
      runtime,
    ],
    packages: ['aws-lambda'],
  },
  'lib/edge/authorizer': {
    rule: 'the authorizer knows the scopes of the contract and how to reach the issuer',
    imports: ['lib/edge/http/token-claims.ts', 'lib/access/net', 'lib/contract', runtime],
    packages: ['jose', 'aws-lambda', '#contract/*'],
  },
  'lib/edge/mcp': {
    rule: 'agents call operations over HTTP; their rehearsals are in the store',
    imports: [
      'lib/edge/http',
      'lib/access/client/outgoing.ts',
      'lib/access/net',
      'lib/contract',
      'lib/domain/money',
      'lib/domain/returns/history/canonical-json.ts',
      'lib/store/agents',
      'lib/store/engine',
      runtime,
    ],
    packages: ['@modelcontextprotocol/server', 'aws-lambda', '#contract/*'],
  },
  'lib/edge/backend': {
    rule: 'the connected side is the client, the standalone side is the service',
    imports: ['lib/access/client', 'lib/contract', 'lib/service/operations', runtime],
    packages: [node, '#contract/*'],
  },
};
