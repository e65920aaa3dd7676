import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { ownOperations } from '../../../lib/tools/build/bundle.ts';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { basePath } from '../../../lib/contract/operation.ts';
import * as operations from '../../../lib/contract/operations.ts';
import { platformNames } from '../../../lib/runtime/platform-names.ts';
import { packageFiles } from '../../../lib/tools/template/package/package-offer.ts';
import { packageFile, functionBundle } from '../../support/bundles.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

type Route = { security?: unknown };
type Methods = Record<string, Route>;
/** A path whose routes exist only under a condition. */
type Conditional = { 'Fn::If': [condition: string, methods: Methods, otherwise: unknown] };
type Body = { paths: Record<string, Methods | Conditional>; components?: unknown };
type Properties = { Handler: string; Body?: Body; StageVariables?: unknown };
type Template = { Resources: Record<string, { Type: string; Properties: Properties }> };

const template = (mode: Mode): Template =>
  JSON.parse(readFileSync(packageFile(mode, packageFiles.template), 'utf8')) as Template;

const handlers = (mode: Mode): string[] =>
  Object.values(template(mode).Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => Properties.Handler);

const bodyOf = (mode: Mode, api: 'Api' | 'Hooks' | 'Web'): Body => {
  const body = template(mode).Resources[api]?.Properties.Body;
  if (body === undefined) throw new Error(`the ${mode} mode has no ${api}`);
  return body;
};

const methodsIn = (path: Body['paths'][string]): Methods =>
  'Fn::If' in path ? (path as Conditional)['Fn::If'][1] : path;

/** Returns the routes of an API: `GET /path` and its security, undefined for none. */
const routes = (mode: Mode, api: 'Api' | 'Hooks' | 'Web') =>
  Object.fromEntries(
    Object.entries(bodyOf(mode, api).paths).flatMap(([path, methods]) =>
      Object.entries(methodsIn(methods)).map(([method, { security }]) => [`${method.toUpperCase()} ${path}`, security]),
    ),
  );

const source = (mode: Mode, name: string) => readFileSync(functionBundle(mode, name), 'utf8');

describe('bundle', () => {
  it.each(modes)('has one function for each operation (%s)', (mode) => {
    const names = new Set(functionFiles(offers[mode]).map(({ name }) => name));
    expect(Object.keys(operations).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(modes)('deploys every function file of the %s mode, and nothing else', (mode) => {
    expect(handlers(mode).toSorted()).toEqual(
      functionFiles(offers[mode])
        .map(({ name }) => `dist/${mode}/${name}/index.handler`)
        .toSorted(),
    );
  });

  it('contains only the side that its mode runs', () => {
    expect(source('connected', 'createReturn')).toContain('/connect/token');
    expect(source('connected', 'createReturn')).not.toContain('TransactWriteItems');
    expect(source('standalone', 'createReturn')).toContain('TransactWriteItems');
    expect(source('standalone', 'createReturn')).not.toContain('/connect/token');
  });

  it.each([
    ['connected', 'api/returns/approve', /connected\.ts\?approve$/, /lib\/(shops\/inbox|store)\//],
    [
      'standalone',
      'api/returns/approve',
      /request-commands\.ts$/,
      /lib\/service\/operations\/(policies|decisions\/lint)/,
    ],
    [
      'standalone',
      'queues/process',
      /standalone\.ts\?addParcel,amendReturn,approve,.*,updateReturn$/,
      /lib\/service\/operations\/policies/,
    ],
  ] as const)('links no other operations (%s, %s)', async (mode, name, linked, others) => {
    const { metafile } = await build({
      entryPoints: [`functions/${name}.ts`],
      write: false,
      outdir: 'unwritten',
      metafile: true,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: [mode, 'module'],
      packages: 'external',
      external: ['#contract/*', '#validators/*'],
      plugins: [ownOperations(mode, true)],
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs).toContainEqual(expect.stringMatching(linked));
    expect(inputs.filter((input) => others.test(input))).toEqual([]);
  });

  it.each(modes)('demands on every route of the api a token with the scope of its operation (%s)', (mode) => {
    const agents = ['GET', 'POST', 'DELETE'].map((method) => ({ route: `${method} /mcp`, scope: 'returns:read' }));
    const ofContract = Object.values(operations).map(({ method, path, scope }) => ({
      route: `${method} ${basePath}${path}`,
      scope,
    }));
    const metadata = ['', '/mcp'].map((path) => [`GET /.well-known/oauth-protected-resource${path}`, undefined]);
    const expected = [...ofContract, ...agents].map(({ route, scope }) => [
      route,
      // An authorizer function has the scopes of the routes itself.
      scope === null
        ? undefined
        : {
            'Fn::If': [
              'AuthorizesByFunction',
              [{ function: [] }],
              [{ jwt: [{ 'Fn::Join': ['', [{ Ref: 'ScopePrefix' }, scope]] }] }],
            ],
          },
    ]);
    expect(routes(mode, 'Api')).toEqual(Object.fromEntries([...expected, ...metadata]));
    const scoped = [...ofContract, ...agents].filter(({ scope }) => scope !== null);
    expect(scoped.length).toBeGreaterThan(70);
    expect(JSON.parse(readFileSync('dist/contract/route-scopes.json', 'utf8'))).toEqual(
      Object.fromEntries(scoped.map(({ route, scope }) => [route, scope])),
    );
  });

  it.each(modes)(
    'serves only the documents, the keys of receipts and the page for withdrawals on the API for browsers (%s)',
    (mode) => {
      const keys = mode === 'standalone' ? ['GET /.well-known/withdrawal-receipts.json'] : [];
      const opened = ['GET /docs', 'GET /docs/{path+}', 'GET /withdraw', 'POST /withdraw', ...keys];
      const pages = Object.fromEntries(opened.map((route) => [route, undefined]));
      expect(routes(mode, 'Web')).toEqual({ ...pages, ...routes(mode, 'Api') });
      const conditional = Object.entries(bodyOf(mode, 'Web').paths).filter(([path]) => path.startsWith(basePath));
      expect(conditional.map(([, path]) => path)).toEqual(
        conditional.map(() => ({ 'Fn::If': ['ServesConsole', expect.anything(), { Ref: 'AWS::NoValue' }] })),
      );
      expect(template(mode).Resources['Web']).toMatchObject({ Condition: 'ServesWeb' });
    },
  );

  it.each(modes)('accepts tokens of users on the API for browsers only, and says so to the functions (%s)', (mode) => {
    const { Resources } = template(mode);
    const variables = ['ApiStage', 'HooksStage', 'WebStage'].map((name) => Resources[name]?.Properties.StageVariables);
    expect(variables).toEqual([undefined, undefined, { callers: 'users' }]);
    const schemesIn = (audience: unknown) => ({
      'Fn::If': [
        'AuthorizesByFunction',
        expect.anything(),
        {
          jwt: expect.objectContaining({
            'x-amazon-apigateway-authorizer': expect.objectContaining({
              jwtConfiguration: { issuer: { Ref: 'TokenIssuer' }, audience },
            }),
          }),
        },
      ],
    });
    expect(bodyOf(mode, 'Api').components).toEqual({
      securitySchemes: schemesIn({ 'Fn::Split': [',', { Ref: 'TokenAudience' }] }),
    });
    expect(bodyOf(mode, 'Web').components).toEqual({
      'Fn::If': [
        'ServesConsole',
        { securitySchemes: schemesIn([{ Ref: 'ConsoleAudience' }]) },
        { Ref: 'AWS::NoValue' },
      ],
    });
    expect(JSON.stringify(bodyOf(mode, 'Web'))).not.toMatch(/cors|access-control/i);
  });

  it.each(modes)(
    'serves the page for withdrawals only where WithdrawPage is on, with limits of its own (%s)',
    (mode) => {
      const none = { Ref: 'AWS::NoValue' };
      expect(bodyOf(mode, 'Web').paths['/withdraw']).toEqual({
        'Fn::If': ['ServesWithdrawals', expect.anything(), none],
      });
      const limits = {
        ThrottlingRateLimit: { Ref: 'WithdrawPageRate' },
        ThrottlingBurstLimit: { Ref: 'WithdrawPageBurst' },
      };
      const ofPage = { 'POST /withdraw': { 'Fn::If': ['ServesWithdrawals', limits, none] } };
      const slow = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };
      expect(template(mode).Resources['WebStage']?.Properties).toMatchObject({
        RouteSettings: {
          'Fn::If': [
            'ServesConsole',
            { 'GET /docs': slow, 'GET /v1/openapi.json': slow, ...ofPage },
            { 'Fn::If': ['ServesWithdrawals', ofPage, none] },
          ],
        },
      });
    },
  );

  it.each(modes)('limits the search for customers and the counts of views in both APIs (%s)', (mode) => {
    const limits = {
      'POST /v1/returns/search': { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 20 },
      'GET /v1/returns/views': { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
    };
    expect(template(mode).Resources['ApiStage']?.Properties).toMatchObject({ RouteSettings: limits });
    expect(template(mode).Resources['WebStage']?.Properties).toMatchObject({
      RouteSettings: { 'Fn::If': ['ServesConsole', limits, expect.not.objectContaining(limits)] },
    });
  });

  it.each(modes)('opens only the routes for webhooks (%s)', (mode) => {
    // Each platform has its own routes: the gateway limits the rate of each route separately.
    const opened = [...platformNames, '{platform}']
      .flatMap((name) => [`/webhooks/${name}`, `/webhooks/${name}/{source}`])
      .flatMap((path) => [`GET ${path}`, `POST ${path}`]);
    expect(routes(mode, 'Hooks')).toEqual(Object.fromEntries(opened.map((route) => [route, undefined])));
    expect(bodyOf(mode, 'Hooks')).not.toHaveProperty('security');
    const apis = Object.entries(template(mode).Resources).filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api');
    expect(apis.map(([name]) => name).toSorted()).toEqual(['Api', 'Hooks', 'Web']);
  });
});
