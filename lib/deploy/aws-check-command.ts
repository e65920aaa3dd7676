import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { GetEventSourceMappingCommand, GetFunctionRecursionConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { endWithUsageError, readCommandLine, type Command } from '../cli/command-line.ts';
import { basePath, type Operation } from '../contract/operation.ts';
import * as operations from '../contract/operations.ts';
import { parseJson, parseObject } from '../runtime/json.ts';
import {
  callAws,
  checkPartitions,
  clientSettings,
  elementIn,
  failed,
  pass,
  tableName,
  timeoutMs,
  type Finding,
} from './aws-partitions.ts';
import { rowsOf } from './functions.ts';
import type { StreamTrigger } from './functions/function-row.ts';
import { readDeployedStage, type DeployedStage } from './stack-outputs.ts';
import { readStage } from './stage-files.ts';

/*
 * Checks of a deployed stage for what no emulator proves: AWS itself must enforce it. Each check cites the page that
 * promises it. The one uploaded file and the one role are deleted at the end.
 */

type AwsCheck = { readonly name: string; readonly run: (stage: DeployedStage) => Promise<Finding> };

const findingOf = (faults: readonly string[], otherwise: string): Finding =>
  faults.length === 0 ? pass(otherwise) : failed(faults.join('; '));

type Route = {
  readonly routeKey?: string;
  readonly authorizationType?: string;
  readonly authorizationScopes?: readonly string[];
  readonly authorizerId?: string;
};
type Authorizer = {
  readonly authorizerId?: string;
  readonly jwtConfiguration?: { readonly issuer?: string; readonly audience?: readonly string[] };
};

/** Reads all pages of a list of API Gateway. https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes.html */
const readAll = async <Item>(stage: DeployedStage, path: string): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let nextToken: string | undefined;
  do {
    const query = { maxResults: '100', ...(nextToken !== undefined && { nextToken }) };
    const page = parseObject(await callAws(stage, { service: 'apigateway', method: 'GET', path, query }));
    items.push(...((page?.['items'] ?? []) as readonly Item[]));
    nextToken = typeof page?.['nextToken'] === 'string' ? page['nextToken'] : undefined;
  } while (nextToken !== undefined);
  return items;
};

const routeFaults = (
  { name, method, path, scope }: Operation,
  routes: ReadonlyMap<string, Route>,
  scopePrefix: string,
): readonly string[] => {
  const route = routes.get(`${method} ${basePath}${path}`);
  if (route === undefined) return [`${name} has no route`];
  const { authorizationType = 'NONE', authorizationScopes = [] } = route;
  if (scope === null) return authorizationType === 'NONE' ? [] : [`${name} asks for a token`];
  // A Lambda authorizer checks the scope itself.
  if (authorizationType === 'CUSTOM') return [];
  if (authorizationType !== 'JWT') return [`${name} asks for no token`];
  const wanted = `${scopePrefix}${scope}`;
  return isDeepStrictEqual(authorizationScopes, [wanted])
    ? []
    : [`${name} asks for the scopes ${authorizationScopes.join(', ') || 'none'} instead of ${wanted}`];
};

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const scopePrefixOf = ({ parameters }: DeployedStage): string => parameters['ScopePrefix'] ?? '';

/** Calls a route with a token of the right claims without a signature, and returns the status. */
const statusOfForgedToken = async (stage: DeployedStage): Promise<number> => {
  const { apiUrl, parameters } = stage;
  const claims = {
    iss: parameters['TokenIssuer'],
    aud: parameters['TokenAudience'],
    client_id: 'aws-check',
    scope: ['read', 'write', 'admin'].map((right) => `${scopePrefixOf(stage)}returns:${right}`).join(' '),
    exp: Math.floor(Date.now() / 1000) + 300,
  };
  const token = `${base64url({ alg: 'none', typ: 'at+jwt' })}.${base64url(claims)}.`;
  const response = await fetch(`${apiUrl}${basePath}/returns/aws-check`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.arrayBuffer();
  return response.status;
};

/**
 * Compares the routes and the authorizer that API Gateway made of the imported body with the contract. Then it calls a
 * route with a token without a signature. It leaves that out for an API that asks for a client certificate.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
const checkAuthorizer: AwsCheck['run'] = async (stage) => {
  const api = `/v2/apis/${stage.physical('Api')}`;
  const routes = await readAll<Route>(stage, `${api}/routes`);
  const authorizers = await readAll<Authorizer>(stage, `${api}/authorizers`);
  const byKey = new Map(routes.map((route) => [route.routeKey ?? '', route]));
  const issuers = authorizers.flatMap(({ jwtConfiguration }) => jwtConfiguration?.issuer ?? []);
  const used = new Set(routes.flatMap(({ authorizerId }) => authorizerId ?? []));
  const known = new Set(authorizers.map(({ authorizerId }) => authorizerId));
  const asksForCertificate = (stage.parameters['TruststoreUri'] ?? '') !== '';
  const status = asksForCertificate ? undefined : await statusOfForgedToken(stage);
  const faults = [
    ...Object.values(operations).flatMap((operation) => routeFaults(operation, byKey, scopePrefixOf(stage))),
    ...issuers
      .filter((issuer) => issuer !== stage.parameters['TokenIssuer'])
      .map((issuer) => `the authorizer trusts ${issuer}`),
    ...[...used].filter((id) => !known.has(id)).map((id) => `a route uses the missing authorizer ${id}`),
    ...(status === undefined || status === 401 ? [] : [`a token without a signature gets ${status}`]),
  ];
  return findingOf(
    faults,
    `${byKey.size} routes have the scopes of the contract; ${
      asksForCertificate
        ? 'no call with a token without a signature, because TruststoreUri asks for a client certificate'
        : 'a token without a signature gets 401'
    }`,
  );
};

const sortedPatterns = (patterns: readonly unknown[]): readonly unknown[] =>
  patterns.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const filterFaults = (
  name: string,
  { filterPatterns }: StreamTrigger,
  filters: readonly { readonly Pattern?: string | undefined }[],
) =>
  isDeepStrictEqual(
    sortedPatterns(filters.map(({ Pattern = '' }) => parseJson(Pattern))),
    sortedPatterns(filterPatterns),
  )
    ? []
    : [`${name} has other filters than the table of functions`];

/**
 * Compares the event source mappings with the table of functions: each is enabled, has its filters, and had no problem.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetEventSourceMapping.html
 */
const checkEventSources: AwsCheck['run'] = async (stage) => {
  const lambda = new LambdaClient({ ...clientSettings, region: stage.region });
  try {
    const mappings = await Promise.all(
      stage.mappings.map((UUID) => lambda.send(new GetEventSourceMappingCommand({ UUID }))),
    );
    const consumers = rowsOf(stage.mode).filter(
      ([, { trigger }]) => trigger.kind === 'queue' || trigger.kind === 'stream',
    );
    const faults = consumers.flatMap(([name, { trigger }]) => {
      // The ARN may end with an alias.
      const found = mappings.find(({ FunctionArn }) => FunctionArn?.split(':')[6] === stage.functionName(name));
      if (found === undefined) return [`${name} has no event source`];
      const { State, LastProcessingResult = '', FilterCriteria } = found;
      return [
        ...(State === 'Enabled' ? [] : [`the event source of ${name} is ${State}`]),
        ...(LastProcessingResult.startsWith('PROBLEM') ? [`${name}: ${LastProcessingResult}`] : []),
        ...(trigger.kind === 'stream' ? filterFaults(name, trigger, FilterCriteria?.Filters ?? []) : []),
      ];
    });
    return findingOf(faults, `${consumers.length} event sources are enabled and have their filters`);
  } finally {
    lambda.destroy();
  }
};

/**
 * Compares the handling of recursive loops: Lambda stops a loop after about 16 invocations unless it is allowed.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionRecursionConfig.html
 */
const checkRecursion: AwsCheck['run'] = async (stage) => {
  const lambda = new LambdaClient({ ...clientSettings, region: stage.region });
  try {
    const consumers = rowsOf(stage.mode).filter(([, { trigger }]) => trigger.kind === 'queue');
    const faults = await Promise.all(
      consumers.map(async ([name, { recursiveLoop = false }]) => {
        const FunctionName = stage.functionName(name);
        const { RecursiveLoop } = await lambda.send(new GetFunctionRecursionConfigCommand({ FunctionName }));
        const wanted = recursiveLoop ? 'Allow' : 'Terminate';
        return RecursiveLoop === wanted ? [] : [`RecursiveLoop of ${name} is ${RecursiveLoop} instead of ${wanted}`];
      }),
    );
    const allowed = consumers.filter(([, { recursiveLoop }]) => recursiveLoop === true).map(([name]) => name);
    return findingOf(faults.flat(), `only ${allowed.join(', ') || 'no function'} may call itself by its queue`);
  } finally {
    lambda.destroy();
  }
};

type Try = { readonly change: string; readonly body: string; readonly type: string; readonly expected: RegExp };

/**
 * Uploads to an address as `addAttachment` signs it: S3 must refuse another length, type or content.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
const checkUploads: AwsCheck['run'] = async (stage) => {
  if (stage.mode !== 'standalone') return { result: 'skipped', why: 'the connected mode signs no uploads' };
  const bucket = stage.physical('EvidenceBucket');
  Object.assign(process.env, {
    AWS_REGION: stage.region,
    EVIDENCE_BUCKET: bucket,
    TABLE_NAME: tableName(stage),
  });
  // These modules read the variables above.
  const [{ createUpload }, { presign }] = await Promise.all([
    import('../store/personal/evidence.ts'),
    import('../store/engine/presign.ts'),
  ]);
  const key = `pii/aws-check-${randomBytes(8).toString('hex')}/file`;
  const bytes = 'returns aws-check';
  const announced = {
    contentType: 'image/png',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('base64'),
  } as const;
  const { url, headers } = await createUpload(key, announced, Date.now());
  const put = async (body: string, type: string): Promise<{ readonly code: string; readonly versionId: string }> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'PUT', headers: { ...headers, 'content-type': type }, body, signal });
    const code = elementIn(await response.text(), 'Code');
    return { code: `${response.status} ${code}`.trim(), versionId: response.headers.get('x-amz-version-id') ?? '' };
  };
  const tries: readonly Try[] = [
    { change: 'another length', body: `${bytes}!`, type: 'image/png', expected: /^403 / },
    { change: 'another type', body: bytes, type: 'text/html', expected: /^403 / },
    { change: 'another content', body: bytes.toUpperCase(), type: 'image/png', expected: /^400 / },
    { change: 'the announced file', body: bytes, type: 'image/png', expected: /^200$/ },
  ];
  const faults: string[] = [];
  for (const { change, body, type, expected } of tries) {
    const { code, versionId } = await put(body, type);
    if (!expected.test(code)) faults.push(`${change} gets ${code}`);
    if (!code.startsWith('200')) continue;
    const query = versionId === '' ? {} : { versionId };
    const deletion = await presign({ bucket, key, method: 'DELETE', headers: {}, query, seconds: 60 }, Date.now());
    const deleted = await fetch(deletion.url, { method: 'DELETE', signal: AbortSignal.timeout(timeoutMs) });
    if (!deleted.ok) faults.push(`the file ${key} of this check was not deleted: delete it by hand`);
  }
  return findingOf(faults, 'S3 refuses another length, type and content, and stores the announced file');
};

/** All checks, in the order of the report. */
const awsChecks: readonly AwsCheck[] = [
  { name: 'partitions in transactions', run: checkPartitions },
  { name: 'tokens at the API', run: checkAuthorizer },
  { name: 'event sources', run: checkEventSources },
  { name: 'recursive loops', run: checkRecursion },
  { name: 'signed uploads', run: checkUploads },
];

/** Runs one check. A call that AWS refuses, or that gets no answer, is a failure with its reason. */
const runAwsCheck = async ({ run }: AwsCheck, stage: DeployedStage): Promise<Finding> => {
  try {
    return await run(stage);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
    return failed(name === 'Error' ? message : `${name}: ${message}`);
  }
};

const command: Command = {
  call: 'npm run aws-check',
  about:
    'Checks in a deployed stage what only AWS itself can prove: partitions in transactions, tokens at the API, event\nsources, recursive loops and signed uploads. It changes no data. It creates a role and a file, and deletes both.',
  options: {
    stage: { type: 'string', value: '<stage>', about: 'The stage of the deployment. Needs AWS credentials.' },
  },
  notes: 'Needs rights to read the stack, its APIs, functions and roles, to create a role, and to write to the bucket.',
};

const { values } = readCommandLine(command);
const { stage: name } = values;

type Row = Finding & { readonly check: string };

/** Formats the findings as columns: result, check and reason. */
const tableOf = (rows: readonly Row[]): string => {
  const width = (of: (row: Row) => string): number => Math.max(...rows.map((row) => of(row).length));
  const [results, checks] = [width(({ result }) => result), width(({ check }) => check)];
  return rows.map(({ result, check, why }) => `${result.padEnd(results)}  ${check.padEnd(checks)}  ${why}`).join('\n');
};

const main = async (): Promise<number> => {
  if (typeof name !== 'string') return endWithUsageError(command, '--stage is missing.');
  const found = await readStage(name);
  if (!found.ok) return endWithUsageError(command, found.failure.join('\n'));
  const stage = await readDeployedStage(name, found.value);
  const rows: Row[] = [];
  // One after the other: a refused call then belongs to one check.
  for (const check of awsChecks) rows.push({ check: check.name, ...(await runAwsCheck(check, stage)) });
  console.log(tableOf(rows));
  const failures = rows.filter(({ result }) => result === 'FAIL').length;
  console.log(failures === 0 ? 'AWS keeps what the bundle relies on.' : `${failures} of ${rows.length} checks failed.`);
  return failures === 0 ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`The checks did not run: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
