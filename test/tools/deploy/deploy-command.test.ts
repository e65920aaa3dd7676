import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { Template } from '../../../lib/tools/template/cloudformation/template.ts';
import { sample } from '../../support/samples.ts';
import { type Respond, startServer } from '../../support/http-server.ts';
import { startTokenEndpoint } from '../../support/token-endpoint.ts';
import { startFakeAws } from './fake-aws.ts';
import { compileCache } from '../../support/bundles.ts';
import { stack } from '../../support/stack.ts';

/** A stage of this test only. Its file is in the folder of the real stages. */
const stage = `test-${process.pid}`;
const file = `lib/tools/deploy/stages/${stage}.json`;
afterEach(() => rmSync(file, { force: true }));

const secret = 'marker-deploy-secret-91c7';

const right = {
  mode: 'connected',
  region: 'eu-west-1',
  parameters: {
    TokenIssuer: 'https://id.example.com',
    TokenAudience: 'https://returns.example.com',
    ServiceUrl: 'https://service.example.com',
    AuthUrl: 'https://id.example.com',
    ReconcileMinutes: 5,
  },
};

/** Runs `npm run deploy` without npm, against the fake AWS of this test. */
const deploy = async (origin: string, content: object, ...args: readonly string[]) => {
  writeFileSync(file, JSON.stringify(content));
  const child = spawn(process.execPath, ['lib/tools/deploy/deploy-command.ts', '--stage', stage, '--built', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      NODE_COMPILE_CACHE: compileCache(),
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL: origin,
      SLS_AWS_MONITORING_FREQUENCY: '1',
      SLS_NOTIFICATIONS_MODE: 'off',
    },
  });
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => void child.once('close', resolve)),
  ]);
  return { code, output, errors };
};

describe('npm run deploy of another adapter', () => {
  const started = async () => {
    const { url } = stack().connected;
    const aws = await startFakeAws(url);
    aws.stackNames.add(`returns-${stage}`);
    aws.changeSets.push({ type: 'UPDATE', template: { Resources: {} }, parameters: { Adapter: 'acme' } });
    return aws;
  };

  it('is rejected while commands of the deployed one have no known effect', async () => {
    await using aws = await started();
    aws.openRows.push({ endsAt: { N: '1' } }, { endsAt: { N: '2' } }, {});
    const { code, errors } = await deploy(aws.origin, right);
    expect(code).toBe(2);
    expect(errors).toContain(
      'the stage runs the adapter acme, and 2 commands have no known effect, 1 deliveries are not processed',
    );
    expect(aws.changeSets).toHaveLength(1);
  });

  it('goes on when nothing is open', async () => {
    await using aws = await started();
    const { code, output, errors } = await deploy(aws.origin, right);
    expect({ code, shown: code === 0 ? '' : output + errors }).toEqual({ code: 0, shown: '' });
    expect(aws.changeSets.at(-1)?.parameters['Adapter']).toBe('own');
  });
});

describe('npm run deploy in front of a Returns Service', () => {
  /** A service that answers so, its token endpoint, and the fake AWS with the client secret. */
  const startWith = async (respond: Respond) => {
    await using opened = new AsyncDisposableStack();
    const idp = opened.use(await startTokenEndpoint([secret]));
    const service = opened.use(await startServer(respond));
    const aws = opened.use(await startFakeAws(stack().connected.url));
    aws.secrets.set('returns/client', JSON.stringify({ clientId: 'shop', clientSecret: secret }));
    const parameters = { ...right.parameters, ServiceUrl: service.origin, AuthUrl: idp.server.origin };
    const resources = opened.move();
    return {
      aws,
      service,
      content: { ...right, parameters },
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  };
  const json = (body: object) => ({ status: 200, body: JSON.stringify(body) });

  it('changes no stack when an answer does not fit, and names the first difference', async () => {
    await using started = await startWith(({ path }) =>
      json(
        path === '/v1/health'
          ? { status: 'ok' }
          : { items: [{ id: 7, customer: 'ada@example.com' }], nextCursor: null },
      ),
    );
    const { code, errors } = await deploy(started.aws.origin, started.content);
    expect(code).toBe(1);
    expect(errors).toContain(
      'The Returns Service does not fit this deployment: listReturns failed. The Returns Service gave an answer that ' +
        'does not fit the contract: /items/0/returnId must be present.',
    );
    expect(errors).toContain('Nothing is deployed.');
    expect(errors).not.toContain('ada@example.com');
    expect(started.aws.changeSets).toEqual([]);
    expect(started.service.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('goes on when an outage proves nothing, and says so', async () => {
    await using started = await startWith(() => ({ status: 503 }));
    const { code, output } = await deploy(started.aws.origin, started.content);
    expect(code).toBe(0);
    expect(output).toContain('The Returns Service was not checked from this machine: health failed.');
    expect(output).toContain('The smoke test calls it after the deployment.');
  });
});

describe('npm run deploy', () => {
  it('creates a stack from the package with the stage and its parameters, and checks its routes', async () => {
    const { url } = stack().connected;
    await using aws = await startFakeAws(url);
    const { code, output, errors } = await deploy(aws.origin, right);
    expect({ code, shown: code === 0 ? '' : output + errors }).toEqual({ code: 0, shown: '' });
    expect(output).toContain(`${url}: `);
    expect(output).toContain('secured routes answer 401');
    expect([...aws.stackNames]).toEqual([`returns-${stage}`]);
    const expected = { Stage: stage, ...right.parameters, ReconcileMinutes: '5', LogLevel: 'info' };
    expect(aws.changeSets.map(({ type, parameters }) => ({ type, parameters }))).toEqual([
      { type: 'CREATE', parameters: expect.objectContaining(expected) },
      { type: 'UPDATE', parameters: expect.objectContaining(expected) },
    ]);
    const [, update] = aws.changeSets;
    const keyIn = (value: unknown) =>
      /"Fn::Sub":"(?:https:[^/]*[/]{2}[^/]+[/])?([^"]+)"/.exec(JSON.stringify(value))?.[1]?.replace('${Stage}', stage);
    const location = update?.template.Resources['ReturnsFunctions']?.Properties?.['TemplateURL'];
    const nested = JSON.parse(aws.objects.get(`/code/${keyIn(location)}`) ?? '{}') as Template;
    expect(nested.Resources['GetReturnLambdaFunction']?.Properties).toMatchObject({
      FunctionName: { 'Fn::Sub': 'returns-${Stage}-getReturn' },
    });
    const zip = keyIn(nested.Resources['GetReturnLambdaFunction']?.Properties?.['Code']);
    expect([...aws.objects.keys()]).toContain(`/code/${zip}`);
    const version = Object.keys(nested.Resources).find((id) => id.startsWith('GetReturnVersion'));
    expect(version).toMatch(/^GetReturnVersion[0-9a-f]{12}$/);
    expect(nested.Resources['GetReturnLive']?.Properties?.['FunctionVersion']).toEqual({
      'Fn::GetAtt': [version, 'Version'],
    });
  });

  it('rejects to replace an existing table by an empty one, and runs no smoke test for a domain', async () => {
    await using aws = await startFakeAws('https://none.invalid');
    const domain = {
      DomainName: 'returns.example.com',
      DomainCertificateArn: 'arn:aws:acm:eu-west-1:000000000000:certificate/1234abcd-12ab-34cd-56ef-1234567890ab',
    };
    const parameters = { ...right.parameters, ...domain };
    const adopting = { ...right, parameters: { ...parameters, ExistingTable: 'returns-restored' } };
    const { code, output } = await deploy(aws.origin, adopting);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('returns.example.com needs a DNS record to the output ApiDomainTarget.'),
    ]);
    const deployed = aws.changeSets.length;
    expect(await deploy(aws.origin, { ...right, parameters })).toMatchObject({
      code: 2,
      errors: expect.stringContaining(
        `${file}: parameter ExistingTable: the stage uses returns-restored. Without it, the stack would make an empty table.`,
      ),
    });
    expect(aws.changeSets).toHaveLength(deployed);
  });

  // stage-file.test.ts covers every invalid file.
  it.each<readonly [string, object, string]>(
    sample<readonly [string, object, string]>(
      [
        ['no mode', { ...right, mode: undefined }, `${file}: mode must be connected or standalone. It has no default.`],
        [
          'a misspelt parameter',
          { ...right, parameters: { ...right.parameters, LogLevle: 'debug' } },
          `${file}: unknown parameter LogLevle. Did you mean LogLevel?`,
        ],
        [
          'a missing parameter',
          { ...right, parameters: { ...right.parameters, AuthUrl: undefined } },
          `${file}: missing parameter AuthUrl: `,
        ],
        [
          'a value that ends cold starts',
          { ...right, parameters: { ...right.parameters, ServiceUrl: 'http://service.example.com' } },
          `${file}: parameter ServiceUrl: must begin with https://.`,
        ],
      ],
      4,
    ),
  )('sends no request to AWS with %s', async (_, content, message) => {
    await using aws = await startFakeAws('https://none.invalid');
    expect(await deploy(aws.origin, content)).toMatchObject({ code: 2, errors: expect.stringContaining(message) });
    expect(aws.requests).toEqual([]);
  });

  it('prints the planned deployment and sends no request to AWS with --check', async () => {
    await using aws = await startFakeAws('https://none.invalid');
    const { code, output } = await deploy(aws.origin, right, '--check');
    expect(code).toBe(0);
    expect(output).toContain(`The connected mode as returns-${stage} in eu-west-1:\n`);
    expect(output).toContain('\n  ReconcileMinutes=5\n');
    expect(output).toContain('\nOperations are at https://service.example.com/v1/… (ServiceUrl and ServicePath).\n');
    expect(output).toContain('\n  ClientSecretId=returns/client: the secret exists, ');
    expect(output).toMatch(/ has no errors\. Nothing is deployed: leave out --check to deploy\.\n$/);
    expect(aws.requests).toEqual([]);
  });

  it('rejects an address that ends with the path that is added to it', async () => {
    await using aws = await startFakeAws('https://none.invalid');
    const parameters = { ...right.parameters, ServiceUrl: 'https://service.example.com/v1' };
    const { code, errors } = await deploy(aws.origin, { ...right, parameters }, '--check');
    expect(code).toBe(2);
    expect(errors).toContain('ServiceUrl: must not end with /v1, because that path is added to it.\n');
    expect(errors).toContain(' has 1 error. Nothing is deployed.');
  });
});
