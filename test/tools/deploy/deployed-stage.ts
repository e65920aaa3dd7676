import { basePath, type Operation } from '../../../lib/contract/operation.ts';
import * as operations from '../../../lib/contract/operations.ts';
import { rowsOf } from '../../../lib/tools/template/functions.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { startGuard } from '../../../lib/tools/local/emulators/guard.ts';
import { identitiesOf, partitionKeysOf, type Identity } from '../../../lib/tools/local/emulators/identities.ts';
import { startObjects } from '../../../lib/tools/local/emulators/objects.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { startServer, type Answer, type Received } from '../../support/http-server.ts';
import { packaged } from '../../support/roles.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

/*
 * A deployed stage at AWS: CloudFormation, IAM, STS, API Gateway and Lambda are faked at the wire, from the templates and
 * the tables. The table and the bucket are those of the local stack, behind the checks of its guards.
 */

/** What differs from a correct deployment. */
export type Defects = {
  /** The identity of the local guard that AssumeRole returns. @default the function of the role */
  readonly assumed?: string;
  readonly scopes?: readonly string[];
  readonly recursiveLoop?: string;
  readonly state?: string;
  readonly filters?: readonly string[];
  /** Whether S3 accepts every upload. */
  readonly acceptsUploads?: boolean;
  /** Whether AWS rejects each call after those of CloudFormation. */
  readonly isDenied?: boolean;
  /** Actions of IAM, with the status that AWS answers instead of a success. */
  readonly statuses?: Readonly<Record<string, number>>;
  readonly audience?: readonly string[];
  /** A route that the contract does not have. */
  readonly extraRoute?: string;
};

type Setting = {
  readonly mode: Mode;
  readonly stage: string;
  readonly stack: StackInfo;
  readonly defects?: Defects;
  /**
   * Parameters that differ from those of the local stack. With `ExistingTable`, the stack has no table, and the parameter
   * names the local one. With `TruststoreUri`, the API is unreachable, because the command has no certificate.
   */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Receives the name of each call before its answer. */
  readonly onCall?: (name: string) => void;
};

const unreachable = 'http://127.0.0.1:9';

const xml = (action: string, result: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body: `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`,
});

const rejection = (method: string, status = 403): Answer => ({
  status,
  headers: { 'x-amzn-errortype': 'AccessDeniedException' },
  body:
    method === 'GET'
      ? '{"message":"no"}'
      : '<ErrorResponse><Error><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>',
});

const json = (body: object): Answer => ({ status: 200, body: JSON.stringify(body) });

const resourceXml = (logicalId: string, physicalId: string, type: string): string =>
  `<member><LogicalResourceId>${logicalId}</LogicalResourceId><PhysicalResourceId>${physicalId}</PhysicalResourceId><ResourceType>${type}</ResourceType><ResourceStatus>CREATE_COMPLETE</ResourceStatus><LastUpdatedTimestamp>2026-01-01T00:00:00Z</LastUpdatedTimestamp></member>`;

/** Answers a list of API Gateway in two pages. */
const pageOf = (items: readonly object[], url: URL): Answer => {
  const half = Math.ceil(items.length / 2);
  return url.searchParams.has('nextToken')
    ? json({ items: items.slice(half) })
    : json({ items: items.slice(0, half), nextToken: 'more' });
};

const securityOf = (scope: string, scopes: Defects['scopes'], values: Readonly<Record<string, string>>): object =>
  values['TokenAuthorizer'] === 'function'
    ? { authorizationType: 'CUSTOM', authorizerId: 'a1' }
    : {
        authorizationType: 'JWT',
        authorizationScopes: scopes ?? [`${values['ScopePrefix'] ?? ''}${scope}`],
        authorizerId: 'a1',
      };

const routesOf = ({ scopes, extraRoute }: Defects, values: Readonly<Record<string, string>>): readonly object[] => [
  ...Object.values(operations).map(({ method, path, scope }: Operation) => ({
    routeKey: `${method} ${basePath}${path}`,
    ...(scope === null ? { authorizationType: 'NONE' } : securityOf(scope, scopes, values)),
  })),
  ...(extraRoute === undefined ? [] : [{ routeKey: extraRoute, authorizationType: 'NONE' }]),
];

const authorizersOf = ({ audience }: Defects, issuer: string, values: Readonly<Record<string, string>>): object =>
  values['TokenAuthorizer'] === 'function'
    ? { authorizerId: 'a1', authorizerType: 'REQUEST' }
    : {
        authorizerId: 'a1',
        authorizerType: 'JWT',
        jwtConfiguration: { issuer, audience: audience ?? values['TokenAudience']?.split(',') },
      };

/** Starts the guards of the local stack for a mode. */
const startEmulators = async ({ mode, stack, defects = {} }: Setting) => {
  const deployment = await packaged(mode);
  const specs = functionSpecs(deployment);
  const identities = new Map(identitiesOf(deployment, specs));
  const table = deployment.ofType('AWS::DynamoDB::Table')[0]?.local.attributes['Arn'] ?? '';
  const operator = (...permissions: Identity['permissions']): Identity => ({
    function: 'none',
    arn: 'arn:aws:sts::000000000000:assumed-role/operator/operator',
    permissions,
  });
  const writes = ['dynamodb:PutItem', 'dynamodb:DeleteItem'];
  identities.set('everywhere', operator(...writes.map((action) => ({ action, resource: table }))));
  const guard = await startGuard({ upstream: stack.aws, identities, partitionKeys: partitionKeysOf(deployment) });
  const files = ['s3:PutObject', 's3:DeleteObject'].map((action) => ({ action, resource: 'arn:aws:s3:::*' }));
  const objects = await startObjects({ upstream: stack.aws.s3, identities: new Map([['local', operator(...files)]]) });
  return {
    deployment,
    dynamodb: guard.url,
    s3: defects.acceptsUploads === true ? stack.aws.s3 : objects.url,
    close: async () => void (await Promise.all([guard.close(), objects.close()])),
  };
};

/** Starts a deployed stage, and returns the variables with which the SDK and the command find it. */
export const startDeployedStage = async (settings: Setting) => {
  const { mode, stage, stack, defects = {}, parameters = {} } = settings;
  const emulators = await startEmulators(settings);
  const { deployment } = emulators;
  const adopted = parameters['ExistingTable'] !== undefined;
  const table = deployment.ofType('AWS::DynamoDB::Table')[0]?.local.ref ?? '';
  const values = { ...stack.parameters[mode], ...parameters, ...(adopted && { ExistingTable: table }) };
  const apiUrl = parameters['TruststoreUri'] === undefined ? stack[mode].url : unreachable;
  const roles = new Map(
    deployment.ofType('AWS::IAM::Role').map(({ logicalId, properties }) => [`${stage}-${logicalId}`, properties]),
  );
  const consumers = rowsOf(offers[mode]).filter(
    ([, { trigger, condition }]) => (trigger.kind === 'queue' || trigger.kind === 'stream') && condition === undefined,
  );
  const calls: string[] = [];

  const resources = [
    ...[...(adopted ? [] : ['AWS::DynamoDB::Table']), 'AWS::S3::Bucket'].flatMap((type) =>
      deployment.ofType(type).map(({ logicalId, local }) => resourceXml(logicalId, local.ref, type)),
    ),
    ...[...roles.keys()].map((name) => resourceXml(name.replace(`${stage}-`, ''), name, 'AWS::IAM::Role')),
    resourceXml('Api', 'api1', 'AWS::ApiGatewayV2::Api'),
    ...consumers.map(([name]) => resourceXml(`Mapping${name}`, `uuid-${name}`, 'AWS::Lambda::EventSourceMapping')),
  ];
  const half = Math.ceil(resources.length / 2);

  const actions: Readonly<Record<string, (form: URLSearchParams) => Answer>> = {
    DescribeStacks: () => {
      const written = Object.entries(values).map(
        ([name, value]) =>
          `<member><ParameterKey>${name}</ParameterKey><ParameterValue>${value.replaceAll(/[<&]/g, '')}</ParameterValue></member>`,
      );
      return xml(
        'DescribeStacks',
        `<Stacks><member><StackName>s</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime><Parameters>${written.join('')}</Parameters><Outputs><member><OutputKey>ApiUrl</OutputKey><OutputValue>${apiUrl}</OutputValue></member></Outputs></member></Stacks>`,
      );
    },
    // Half of the resources are in a nested stack.
    ListStackResources: (form) =>
      xml(
        'ListStackResources',
        `<StackResourceSummaries>${
          form.get('StackName') === 'nested'
            ? resources.slice(half).join('')
            : [...resources.slice(0, half), resourceXml('Nested', 'nested', 'AWS::CloudFormation::Stack')].join('')
        }</StackResourceSummaries>`,
      ),
    GetCallerIdentity: () => xml('GetCallerIdentity', '<Arn>arn:aws:iam::000000000000:user/operator</Arn>'),
    GetRolePolicy: (form) => {
      const { Policies = [] } = (roles.get(form.get('RoleName') ?? '') ?? {}) as {
        readonly Policies?: readonly { readonly PolicyDocument: object }[];
      };
      const document = encodeURIComponent(JSON.stringify(Policies[0]?.PolicyDocument));
      return xml('GetRolePolicy', `<PolicyDocument>${document}</PolicyDocument>`);
    },
    CreateRole: (form) =>
      xml('CreateRole', `<Role><Arn>arn:aws:iam::000000000000:role/${form.get('RoleName')}</Arn></Role>`),
    PutRolePolicy: () => xml('PutRolePolicy', ''),
    AssumeRole: () => {
      const name = defects.assumed ?? `returns-dev-${mode === 'standalone' ? 'updateParcel' : 'receiveWebhook'}`;
      return xml(
        'AssumeRole',
        `<Credentials><AccessKeyId>${name}</AccessKeyId><SecretAccessKey>local</SecretAccessKey><SessionToken>t</SessionToken></Credentials>`,
      );
    },
    DeleteRolePolicy: () => xml('DeleteRolePolicy', ''),
    DeleteRole: () => xml('DeleteRole', ''),
  };

  const mappingOf = (name: string): Answer => {
    const row = consumers.find(([one]) => one === name)?.[1];
    const patterns = row?.trigger.kind === 'stream' ? row.trigger.filterPatterns.map((one) => JSON.stringify(one)) : [];
    return json({
      UUID: `uuid-${name}`,
      FunctionArn: `arn:aws:lambda:eu-central-1:000000000000:function:returns-${stage}-${name}:live`,
      State: defects.state ?? 'Enabled',
      LastProcessingResult: 'No records processed',
      FilterCriteria: { Filters: (defects.filters ?? patterns).map((Pattern) => ({ Pattern })) },
    });
  };

  const rest = (path: string): Answer => {
    const url = new URL(path, 'http://aws.invalid');
    const [, , , , name = ''] = url.pathname.split('/');
    if (url.pathname === '/v2/apis/api1/routes') return pageOf(routesOf(defects, values), url);
    if (url.pathname === '/v2/apis/api1/authorizers')
      return json({ items: [authorizersOf(defects, stack.issuer, values)] });
    const [mapping] = /(?<=\/event-source-mappings\/uuid-)\w+/.exec(url.pathname) ?? [];
    if (mapping !== undefined) return mappingOf(mapping);
    const [looping] = /(?<=functions\/)[\w-]+(?=\/recursion-config)/.exec(url.pathname) ?? [];
    const row = rowsOf(offers[mode]).find(([one]) => looping === `returns-${stage}-${one}`)?.[1];
    const wanted = row?.recursiveLoop === true ? 'Allow' : 'Terminate';
    return row === undefined
      ? { status: 404, body: `{"message":"${name}"}` }
      : json({ RecursiveLoop: defects.recursiveLoop ?? wanted });
  };

  const server = await startServer(({ method, path, body }: Received) => {
    const form = new URLSearchParams(body);
    const action = form.get('Action') ?? '';
    const call = method === 'POST' ? action : path;
    calls.push(call);
    settings.onCall?.(call);
    const isRead = action === 'DescribeStacks' || action === 'ListStackResources';
    if (defects.isDenied === true && !isRead) return rejection(method);
    const status = defects.statuses?.[action];
    if (status !== undefined) return rejection(method, status);
    return method === 'POST' ? (actions[action]?.(form) ?? rejection(method)) : rest(path);
  });
  return {
    calls,
    environment: {
      AWS_ENDPOINT_URL: server.origin,
      AWS_ENDPOINT_URL_DYNAMODB: emulators.dynamodb,
      AWS_ENDPOINT_URL_S3: emulators.s3,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await emulators.close();
    },
  };
};
