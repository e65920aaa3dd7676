import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDeployment } from '../../../lib/tools/deploy/check-deployment.ts';
import { parseStage, type Stage, stagesFolder } from '../../../lib/tools/deploy/stage-file.ts';
import { parameterError } from '../../../lib/tools/template/cloudformation/parameter.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { platformNames } from '../../../lib/runtime/platform-names.ts';
import { maxListPartitions } from '../../../lib/store/returns/whole-returns.ts';
import { packaged } from '../../support/roles.ts';
import { sample } from '../../support/samples.ts';
import { type Mode, modes } from '../../../lib/tools/template/functions/function-row.ts';
import { check, required, templateOf } from './check-stage.ts';

describe.each(modes)('parameters of the %s mode', (mode) => {
  it('are complete with the required ones', async () => {
    expect(await check(mode)).toEqual([]);
  });

  it('are rejected with the description of a missing one', async () => {
    expect(await check(mode, { TokenAudience: undefined })).toEqual([
      'missing parameter TokenAudience: Audiences of the access tokens of callers, separated by commas; client ids at Cognito.',
    ]);
  });

  it('are rejected with all errors at once, missing ones included', async () => {
    expect(await check(mode, { TokenIssuer: undefined, VerifyCircleDays: '0.5' })).toEqual([
      'missing parameter TokenIssuer: Issuer of the access tokens of callers; https, except on this machine.',
      'parameter VerifyCircleDays: must be a whole number above 0.',
    ]);
  });

  it('are rejected with a suggestion for a misspelt one', async () => {
    expect(await check(mode, { PlatfromSecrets: 'a', tokenIssuer: 'https://a' })).toEqual([
      'unknown parameter PlatfromSecrets. Did you mean PlatformSecrets?',
      'unknown parameter tokenIssuer. Did you mean TokenIssuer?',
    ]);
  });

  it('are rejected with one list of names for unknown ones; the stage is not among them', async () => {
    expect(await check(mode, { Stage: 'x', Colour: 'red' })).toEqual([
      'unknown parameter Stage.',
      expect.stringMatching(/^unknown parameter Colour\. The parameters of this mode are .*TokenIssuer/),
    ]);
  });

  it('are rejected with all errors of the template and the stage name at once', async () => {
    expect(await check(mode, { LogLevel: 'loud', ApiRate: '0', HooksRate: 'many' }, `p${'x'.repeat(30)}`)).toEqual([
      'parameter HooksRate: must be a number.',
      expect.stringMatching(/^parameter Stage: must match /),
      'parameter LogLevel: must be one of debug, info, warn, error.',
      'parameter ApiRate: must be at least 1.',
    ]);
  });

  it('are rejected when a function’s variables exceed Lambda’s limit', async () => {
    expect(await check(mode, { PlatformClients: 'x'.repeat(4_000) })).toEqual([
      expect.stringMatching(/^the variables of \w+ have \d{4} bytes, and Lambda accepts 4096: shorten values\.$/),
    ]);
  });
});

it('have values for all names, defaults included', async () => {
  const template = await templateOf('connected');
  const stage: Stage = { mode: 'connected', region: 'eu-central-1', parameters: required.connected };
  const checked = await checkDeployment(template, 'prod', stage);
  expect(checked).toMatchObject({
    ok: true,
    value: { Stage: 'prod', ...required.connected, LogLevel: 'info', ClientSecretId: 'returns/client' },
  });
  expect(Object.keys(checked.ok ? checked.value : {})).toEqual(Object.keys(template.Parameters ?? {}));
});

it('are valid in the example of the repository', async () => {
  const parsed = parseStage(readFileSync(`${stagesFolder}/dev.json`, 'utf8'));
  if (!parsed.ok) throw new Error(parsed.failure.join('\n'));
  expect(await checkDeployment(await templateOf(parsed.value.mode), 'dev', parsed.value)).toMatchObject({ ok: true });
});

/** Loads a function as deployed, with one changed variable, and returns the output of its failure. */
const coldStart = async (mode: Mode, name: string, changes: Readonly<Record<string, string>>) => {
  const deployment = await packaged(mode, { TokenAuthorizer: 'gateway' });
  const spec = functionSpecs(deployment).find(({ key }) => key === name);
  // Node.js prints the line of an uncaught error. The line is the whole bundle, so Node.js truncates it.
  const load = `await import(${JSON.stringify(resolve('dist', mode, name, 'index.mjs'))}).catch(({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', load], {
    env: { AWS_REGION: 'eu-central-1', ...spec?.environment, ...changes },
    encoding: 'utf8',
  });
  return { died: status !== 0, stderr };
};

describe('parameter that ends every cold start', () => {
  // Each case starts a process. Most of them reach the same code with another parameter.
  const deadly: readonly (readonly [string, Mode, string, string, string, string, string])[] = [
    [
      'a typo in ReturnTerms',
      'standalone',
      'createReturn',
      'RETURN_TERMS',
      'ReturnTerms',
      '{"fees":{"restockingBsp":1}}',
      '/fees/restockingBsp is not a known term; the terms are restockingBps, restockingCap, returnShipping, inspectionCapBps. Did you mean restockingBps?',
    ],
    [
      'a missing file of terms',
      'standalone',
      'createReturn',
      'RETURN_TERMS',
      'ReturnTerms',
      'nosuch.json',
      'names no file in lib/tools/deploy/terms; the directory has none',
    ],
    [
      'text that is not JSON',
      'standalone',
      'createReturn',
      'RETURN_TERMS',
      'ReturnTerms',
      '{approval}',
      'must be JSON',
    ],
    [
      'an invalid network',
      'standalone',
      'createWebhookEndpoint',
      'WEBHOOK_NETWORKS',
      'WebhookNetworks',
      '10.0.0.0/99',
      'must be CIDRs separated by commas; "10.0.0.0/99" is not a CIDR',
    ],
    [
      'a service URL with http',
      'connected',
      'getReturn',
      'SERVICE_URL',
      'ServiceUrl',
      'http://a.example',
      'must begin with https://',
    ],
    [
      'an address with a query',
      'connected',
      'getReturn',
      'SERVICE_URL',
      'ServiceUrl',
      'https://a.example?b',
      'must be an origin, or an origin and a path',
    ],
    [
      'an issuer with http',
      'standalone',
      'openapi',
      'TOKEN_ISSUER',
      'TokenIssuer',
      'http://a.example',
      'must begin with https://',
    ],
    [
      'scopes in a claim that the gateway does not read',
      'standalone',
      'getReturn',
      'SCOPE_CLAIM',
      'ScopeClaim',
      'roles',
      'must be scope or scp with the authorizer of the gateway: set TokenAuthorizer to function for other claims',
    ],
    [
      'a token path without a slash',
      'connected',
      'getReturn',
      'TOKEN_PATH',
      'TokenPath',
      'oauth2/token',
      'must be a path that begins with /, without . or .., such as /oauth2/token',
    ],
    [
      'a token header that HTTP needs',
      'connected',
      'getReturn',
      'TOKEN_HEADER',
      'TokenHeader',
      'Host',
      'must be the name of a header that requests have not already, such as Authorization or X-Access-Token',
    ],
    [
      'a fixed header with credentials',
      'connected',
      'refreshToken',
      'SERVICE_HEADERS',
      'ServiceHeaders',
      'Authorization=Basic YTpi',
      'must be lines such as X-Tenant=acme: printable ASCII, each header once, and none that requests have already, such as Host or Authorization',
    ],
    [
      'an unknown way to authenticate',
      'connected',
      'rotateClientSecret',
      'CLIENT_AUTHENTICATION',
      'ClientAuthentication',
      'post',
      'must be form, basic or json',
    ],
    [
      'an unknown platform',
      'standalone',
      'receiveWebhook',
      'PLATFORMS',
      'Platforms',
      'shopify,shopfy',
      `must be a list of ${platformNames.join(', ')}, separated by commas; "shopfy" is unknown`,
    ],
    [
      'half a day',
      'connected',
      'verifyChains',
      'VERIFY_CIRCLE_DAYS',
      'VerifyCircleDays',
      '0.5',
      'must be a whole number above 0',
    ],
    [
      'a retention of zero days',
      'standalone',
      'registerOrder',
      'ORDER_RETENTION_DAYS',
      'OrderRetentionDays',
      '0',
      'must be a whole number above 0',
    ],
  ];

  it.each(sample(deadly, 3))(
    'is rejected with the function’s own error: %s',
    async (_, mode, name, variable, parameter, value, error) => {
      expect((await coldStart(mode, name, { [variable]: value })).stderr).toContain(error);
      expect(await check(mode, { [parameter]: value })).toEqual([
        `parameter ${parameter}: ${error}${error.endsWith('?') ? '' : '.'}`,
      ]);
    },
  );

  it('is rejected with the errors of all settings of the access at once, and quotes none', async () => {
    const wrong = { ServicePath: 'v1', TokenScheme: 'a b', TokenLifetime: '1 h', ServiceScopes: 'read=marker' };
    const errors = await check('connected', { ...wrong, TokenHeader: 'X-Token', ServiceHeaders: 'X-Key=marker' });
    expect(errors).toEqual([
      'parameter ServicePath: must be a path that begins with /, without . or .., such as /v1, or / for none.',
      'parameter TokenScheme: must be one word such as Bearer, or none for the bare token.',
      'parameter TokenLifetime: must be whole seconds from 1 to 86400.',
      'parameter ServiceScopes: must be pairs such as returns:read=RETAILER,returns:write=rma.read rma.write, each of our scopes once.',
    ]);
    const both = await check('connected', { TokenHeader: 'X-Token', ServiceHeaders: 'x-token=marker' });
    expect(both).toEqual([expect.stringMatching(/^parameter ServiceHeaders: must be lines /)]);
  });

  it('does not exist in a valid deployment', async () => {
    expect(await coldStart('standalone', 'createReturn', {})).toEqual({ died: false, stderr: '' });
  });
});

describe('parameter patterns of the template', () => {
  it.each<[Mode, string, string, boolean]>([
    ['connected', 'ServiceUrl', 'https://a.example/returns', true],
    ['connected', 'ServiceUrl', 'http://127.0.0.1:4000', true],
    ['connected', 'ServiceUrl', 'http://a.example', false],
    ['connected', 'AuthUrl', 'https://a.example?b', false],
    ['connected', 'TokenIssuer', 'http://a.example', false],
    ['connected', 'TokenPath', '/oauth2/v2.0/token', true],
    ['connected', 'TokenPath', 'token', false],
    ['connected', 'TokenPath', '/token?a=b', false],
    ['connected', 'ServicePath', '/', true],
    ['connected', 'ServicePath', 'v1', false],
    ['connected', 'ClientAuthentication', 'basic', true],
    ['connected', 'ClientAuthentication', 'Basic', false],
    ['connected', 'TokenHeader', 'WM_SEC.ACCESS_TOKEN', true],
    ['connected', 'TokenHeader', 'content-type', false],
    ['connected', 'TokenScheme', 'none', true],
    ['connected', 'TokenFields', 'access_token=idToken,expires_in=expiresIn', true],
    ['connected', 'TokenLifetime', '86401', false],
    ['connected', 'ServiceHeaders', 'X-Tenant=a,b;c=d\nX-Api-Version=2', true],
    ['connected', 'ServiceHeaders', 'X-Tenant=a\r\nX-Api-Version=2', false],
    ['connected', 'ServiceHeaders', 'X-Tenant=a\nauthorization=b', false],
    ['connected', 'ServiceScopes', 'returns:read=RETAILER,returns:write=rma.read rma.write,returns:admin=', true],
    ['connected', 'ServiceScopes', 'read=RETAILER', false],
    ['standalone', 'TokenIssuer', 'https://shop.eu.auth0.com/', true],
    ['standalone', 'TokenAudience', 'api://default,https://returns.example.com', true],
    ['standalone', 'TokenAudience', 'a, b', false],
    ['standalone', 'TokenAudience', '', false],
    ['standalone', 'TokenAuthorizer', 'none', false],
    ['standalone', 'ScopePrefix', 'https://returns.example/', true],
    ['standalone', 'ScopePrefix', 'returns ', false],
    ['standalone', 'ScopeClaim', 'https://example.com/roles', true],
    ['connected', 'ClientSecretId', '', false],
    ['connected', 'VerifyCircleDays', '1.5', false],
    ['connected', 'ReconcileMinutes', '0', false],
    // Three intervals fit into the day that the heartbeat may look back.
    ['connected', 'ReconcileMinutes', '480', true],
    ['connected', 'ReconcileMinutes', '481', false],
    // reindexReturns reads no partition above the maximum.
    ['standalone', 'ListPartitions', String(maxListPartitions), true],
    ['standalone', 'ListPartitions', String(maxListPartitions + 1), false],
    ['standalone', 'ListPartitions', '0', false],
    ['standalone', 'ReturnTerms', 'approval: auto', false],
    ['standalone', 'ReturnTerms', 'eu-strict.json', true],
    ['standalone', 'ReturnTerms', '../eu-strict.json', false],
    ['standalone', 'ReturnTerms', '{\n  "approval": "auto"\n}', true],
    ['standalone', 'EventSource', '', true],
    ['standalone', 'EvidenceRetentionDays', 'none', true],
    ['standalone', 'EvidenceRetentionDays', '365', true],
    ['standalone', 'EvidenceRetentionDays', '0', false],
    ['standalone', 'EventSource', 'aws.partner:x', false],
    ['standalone', 'Platforms', platformNames.join(','), true],
    ['standalone', 'Platforms', 'shopify,shopfy', false],
    ['standalone', 'Platforms', 'shopify,', false],
    ['standalone', 'WebhookNetworks', '', true],
    ['standalone', 'WebhookNetworks', '10.0.0.0/8, fd00::/128,::ffff:10.0.0.0/104', true],
    ['standalone', 'WebhookNetworks', '10.0.0.0/99', false],
    ['standalone', 'WebhookNetworks', '10.0.0.0/33', false],
    ['standalone', 'WebhookNetworks', 'fd00::/129', false],
    ['standalone', 'WebhookNetworks', '10.0.0.0', false],
  ])('in the %s mode check %s: %j', async (mode, name, value, isTaken) => {
    const parameter = (await templateOf(mode)).Parameters?.[name];
    expect(parameter && parameterError(parameter, value) === undefined).toBe(isTaken);
  });
});
