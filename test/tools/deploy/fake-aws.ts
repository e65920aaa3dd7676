import { randomUUID } from 'node:crypto';
import type { Template } from '../../../lib/tools/template/cloudformation/template.ts';
import { startServer, type Answer, type Received } from '../../support/http-server.ts';

/*
 * The part of CloudFormation, S3, STS and Lambda that osls uses for a deployment by change sets.
 * It checks parameters against the templates as CloudFormation does: unknown ones and missing ones are errors.
 */

type ChangeSet = {
  readonly type: string;
  readonly template: Template;
  readonly parameters: Readonly<Record<string, string>>;
};

const xml = (action: string, result: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body: `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`,
});

const validationError = (message: string): Answer => ({
  status: 400,
  headers: { 'content-type': 'text/xml' },
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const stackId = 'arn:aws:cloudformation:eu-central-1:000000000000:stack/returns/1';

/** Returns the parameters of a request: Parameters.member.1.ParameterKey and so on. */
const parametersOf = (form: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...form.keys()].flatMap((key) => {
      const [, number] = /^Parameters\.member\.(\d+)\.ParameterKey$/.exec(key) ?? [];
      return number === undefined
        ? []
        : [[form.get(key) ?? '', form.get(`Parameters.member.${number}.ParameterValue`) ?? '']];
    }),
  );

const missingParameter = (
  { Parameters = {} }: Template,
  provided: Readonly<Record<string, string>>,
): string | undefined => {
  const unknown = Object.keys(provided).filter((name) => Parameters[name] === undefined);
  if (unknown.length > 0) return `Parameters: [${unknown.join(', ')}] do not exist in the template`;
  const missing = Object.entries(Parameters).filter(
    ([name, { Default }]) => Default === undefined && provided[name] === undefined,
  );
  return missing.length === 0
    ? undefined
    : `Parameters: [${missing.map(([name]) => name).join(', ')}] must have values`;
};

/** @param apiUrl the output ApiUrl of the deployed stack */
export const startFakeAws = async (apiUrl: string) => {
  const objects = new Map<string, string>();
  const changeSets: ChangeSet[] = [];
  const stackNames = new Set<string>();
  /** The rows that a scan of the table finds. */
  const openRows: object[] = [];
  /** The secrets that exist, by name. */
  const secrets = new Map<string, string>();

  const templateOf = (form: URLSearchParams): Template => {
    const key = new URL(form.get('TemplateURL') ?? 'http://none.invalid').pathname;
    return JSON.parse(form.get('TemplateBody') ?? objects.get(decodeURIComponent(key)) ?? '{}') as Template;
  };

  const actions: Readonly<Record<string, (form: URLSearchParams) => Answer>> = {
    GetCallerIdentity: () =>
      xml('GetCallerIdentity', '<Account>000000000000</Account><Arn>arn:aws:iam::000000000000:user/u</Arn>'),
    DescribeStacks: (form) => {
      const name = form.get('StackName') ?? '';
      if (!stackNames.has(name)) return validationError(`Stack with id ${name} does not exist`);
      const parameters = Object.entries(changeSets.at(-1)?.parameters ?? {}).map(
        ([key, value]) =>
          `<member><ParameterKey>${key}</ParameterKey><ParameterValue>${escaped(value)}</ParameterValue></member>`,
      );
      return xml(
        'DescribeStacks',
        `<Stacks><member><StackName>${name}</StackName><StackId>${stackId}</StackId><StackStatus>UPDATE_COMPLETE</StackStatus><Parameters>${parameters.join('')}</Parameters><Outputs><member><OutputKey>ApiUrl</OutputKey><OutputValue>${apiUrl}</OutputValue></member></Outputs></member></Stacks>`,
      );
    },
    DescribeStackResource: () =>
      xml(
        'DescribeStackResource',
        '<StackResourceDetail><PhysicalResourceId>code</PhysicalResourceId></StackResourceDetail>',
      ),
    CreateChangeSet: (form) => {
      const template = templateOf(form);
      const parameters = parametersOf(form);
      const error = missingParameter(template, parameters);
      if (error !== undefined) return validationError(error);
      changeSets.push({ type: form.get('ChangeSetType') ?? '', template, parameters });
      return xml('CreateChangeSet', `<StackId>${stackId}</StackId>`);
    },
    DescribeChangeSet: () => xml('DescribeChangeSet', `<Status>CREATE_COMPLETE</Status><StackId>${stackId}</StackId>`),
    ExecuteChangeSet: (form) => {
      stackNames.add(form.get('StackName') ?? '');
      return xml('ExecuteChangeSet', '');
    },
    ListStackResources: () =>
      xml(
        'ListStackResources',
        '<StackResourceSummaries><member><LogicalResourceId>Table</LogicalResourceId><PhysicalResourceId>returns-table</PhysicalResourceId><ResourceType>AWS::DynamoDB::Table</ResourceType></member></StackResourceSummaries>',
      ),
    DeleteChangeSet: () => xml('DeleteChangeSet', ''),
    ValidateTemplate: () => xml('ValidateTemplate', ''),
    DescribeStackEvents: () => {
      const event = (status: string) =>
        `<member><EventId>${changeSets.length}-${status}</EventId><StackName>s</StackName><LogicalResourceId>s</LogicalResourceId><PhysicalResourceId>${stackId}</PhysicalResourceId><ResourceType>AWS::CloudFormation::Stack</ResourceType><ResourceStatus>${changeSets.at(-1)?.type}_${status}</ResourceStatus><Timestamp>2026-01-01T00:00:00Z</Timestamp></member>`;
      return xml('DescribeStackEvents', `<StackEvents>${event('COMPLETE')}${event('IN_PROGRESS')}</StackEvents>`);
    },
  };

  const storage = ({ method, path, body }: Received): Answer => {
    const key = decodeURIComponent(new URL(path, 'http://s3.invalid').pathname);
    if (method === 'PUT') objects.set(key, body);
    const list = '<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';
    return { status: 200, headers: { 'content-type': 'application/xml' }, body: method === 'GET' ? list : '' };
  };

  const secretValue = ({ body }: Received): Answer => {
    const { SecretId: name } = JSON.parse(body) as { readonly SecretId: string };
    const text = secrets.get(name);
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    if (text === undefined) return { status: 400, headers, body: '{"__type":"ResourceNotFoundException"}' };
    const value = { Name: name, VersionId: randomUUID(), VersionStages: ['AWSCURRENT'], SecretString: text };
    return { status: 200, headers, body: JSON.stringify(value) };
  };

  const server = await startServer((request) => {
    if (request.headers['x-amz-target'] === 'DynamoDB_20120810.Scan')
      return {
        status: 200,
        headers: { 'content-type': 'application/x-amz-json-1.0' },
        body: JSON.stringify({ Items: openRows }),
      };
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue') return secretValue(request);
    if (request.path.startsWith('/2015-03-31/functions/'))
      return { status: 404, headers: { 'x-amzn-errortype': 'ResourceNotFoundException' }, body: '{}' };
    if (request.method !== 'POST' || !request.path.match(/^\/(\?.*)?$/)) return storage(request);
    const form = new URLSearchParams(request.body);
    return actions[form.get('Action') ?? '']?.(form) ?? validationError(`no action ${form.get('Action')}`);
  });
  return { ...server, changeSets, stackNames, objects, openRows, secrets };
};
