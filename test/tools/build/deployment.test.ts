import { describe, expect, it } from 'vitest';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { identitiesOf } from '../../../lib/tools/local/emulators/identities.ts';
import { mappingsOf } from '../../../lib/tools/local/emulators/queue-poller.ts';
import { checkLoop } from '../../../lib/tools/local/emulators/queue-poller.ts';
import { resolve, type Template } from '../../../lib/tools/template/cloudformation/template.ts';
import { packaged } from '../../support/roles.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate } from '../../support/bundles.ts';

const templateOf = async (mode: Mode): Promise<Template> => packagedTemplate(mode);

type Operations = Readonly<Record<string, object>>;
/** A path may exist only under a condition. */
type Path = Operations | { readonly 'Fn::If': readonly [condition: string, operations: Operations, otherwise: object] };
type Body = { readonly paths: Readonly<Record<string, Path>> };

const operationsOf = (path: Path): readonly object[] =>
  Object.values('Fn::If' in path ? (path['Fn::If'] as readonly [string, Operations])[1] : path);

describe.each(modes)('template of the %s mode', (mode) => {
  it('fails the import of an API on a warning of the gateway', async () => {
    const { Resources } = await templateOf(mode);
    const apis = Object.values(Resources).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Api');
    expect(apis.map(({ Properties = {} }) => Properties['FailOnWarnings'])).toEqual([true, true, true]);
    const bodies = apis.map(({ Properties = {} }) => Properties['Body'] as Body);
    // The keys of a definition that an HTTP API reads. Any other key is a warning, which fails the deployment.
    expect(new Set(bodies.flatMap((body) => Object.keys(body)))).toEqual(
      new Set(['openapi', 'info', 'servers', 'paths', 'components']),
    );
    const operations = bodies.flatMap(({ paths }) => Object.values(paths).flatMap(operationsOf));
    expect(new Set(operations.flatMap((operation) => Object.keys(operation)))).toEqual(
      new Set(['operationId', 'parameters', 'responses', 'security', 'x-amazon-apigateway-integration']),
    );
  });

  it.each([
    ['gateway', 'claims.azp'],
    ['function', 'clientId'],
  ])('logs the client of a request with the authorizer %s', async (authorizer, name) => {
    const template = await templateOf(mode);
    const stage = template.Resources['ApiStage']?.Properties as { AccessLogSettings: { Format: unknown } };
    const parameters = { TokenAuthorizer: authorizer, ClientClaim: 'azp' };
    const format = resolve(stage.AccessLogSettings.Format, '', { template, parameters, resources: {} });
    expect(JSON.parse(String(format))).toMatchObject({
      client: `$context.authorizer.${name}`,
      routeKey: '$context.routeKey',
    });
  });

  it.each([
    ['gateway', false],
    ['function', true],
  ])('lets the gateway invoke the authorizer function only with the authorizer %s', async (authorizer, isThere) => {
    const deployment = await packaged(mode, { TokenAuthorizer: authorizer });
    const role = deployment.ofType('AWS::IAM::Role').find(({ logicalId }) => logicalId === 'GatewayRole');
    expect(JSON.stringify(role?.properties).includes('-authorize:live"')).toBe(isThere);
    const specs = functionSpecs(deployment);
    expect(specs.some(({ key }) => key === 'authorize')).toBe(isThere);
    const api = deployment.ofType('AWS::ApiGatewayV2::Api').find(({ logicalId }) => logicalId === 'Api');
    const scheme = isThere ? { function: { type: 'apiKey' } } : { jwt: { type: 'oauth2' } };
    expect(api?.properties['Body']).toMatchObject({ components: { securitySchemes: scheme } });
  });

  it('lets functions put work back into their own source queue', async () => {
    const deployment = await packaged(mode);
    const specs = functionSpecs(deployment);
    const identities = identitiesOf(deployment, specs);
    const mappings = mappingsOf(deployment, specs);
    expect(() => {
      for (const mapping of mappings) checkLoop(identities, mapping);
    }).not.toThrow();
    const allowed = specs.filter(({ recursiveLoop }) => recursiveLoop === 'Allow').map(({ key }) => key);
    expect(allowed.toSorted()).toEqual(mode === 'standalone' ? ['deliverEvents', 'runJob'] : []);
  });

  it('retains data, except for a failed first deployment', async () => {
    const { Resources } = await templateOf(mode);
    const retained = Object.values(Resources as Readonly<Record<string, Readonly<Record<string, unknown>>>>).filter(
      (resource) => resource['UpdateReplacePolicy'] === 'Retain' && resource['Type'] !== 'AWS::Lambda::Version',
    );
    expect(retained.length).toBeGreaterThan(1);
    expect(new Set(retained.map((resource) => resource['DeletionPolicy']))).toEqual(new Set(['RetainExceptOnCreate']));
  });
});
