import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { functionEnvironment } from '../../../lib/tools/local/emulators/function-spec.ts';
import { testCertificate } from '../../support/certificate.ts';
import { plant } from '../../support/emitted/record.ts';
import { startServer } from '../../support/http-server.ts';
import { stack } from '../../support/stack.ts';
import { startTokenEndpoint } from '../../support/token-endpoint.ts';
import { onStack, fakeService, json, returns, temporaryFolder } from './harness.ts';

const page = json(200, { items: [], nextCursor: null });
const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
const fileSecret = 'marker-cli-file-secret-77aa';

/** Writes a profile file, and returns the variable that selects its folder. */
const withProfiles = async (folder: string, content: object, mode = 0o600) => {
  await mkdir(join(folder, 'returns'), { recursive: true });
  const file = join(folder, 'returns/config.json');
  await writeFile(file, JSON.stringify(content));
  await chmod(file, mode);
  return { file, env: { XDG_CONFIG_HOME: folder } };
};

const start = async () => {
  plant([fileSecret]);
  const fake = await fakeService(() => page);
  fake.idp.accepted.add(fileSecret);
  const folder = await temporaryFolder();
  const secretFile = join(folder.path, 'secret');
  await writeFile(secretFile, `${fileSecret}\n`, { mode: 0o600 });
  const stage = { serviceUrl: fake.service.origin, authUrl: fake.idp.server.origin, clientId: 'office' };
  return {
    fake,
    folder: folder.path,
    secretFile,
    stage,
    form: () => new URLSearchParams(fake.idp.server.requests.at(-1)?.body),
    [Symbol.asyncDispose]: async () => {
      await folder[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
};

describe('profile', () => {
  it('gives the addresses and the client, with a secret from a file', async () => {
    await using test = await start();
    const profiles = { prod: { ...test.stage, clientSecretFile: test.secretFile } };
    const { env } = await withProfiles(test.folder, { profiles });
    expect(await returns(['list'], { env })).toMatchObject({ code: 0 });
    expect([test.form().get('client_id'), test.form().get('client_secret')]).toEqual(['office', fileSecret]);
  });

  it('gives a secret from the command of a keychain, which no shell runs', async () => {
    await using test = await start();
    const clientSecretCommand = [process.execPath, '-p', `"${fileSecret}"; //$(false)`];
    const { env } = await withProfiles(test.folder, { profiles: { prod: { ...test.stage, clientSecretCommand } } });
    expect(await returns(['list', '--profile', 'prod'], { env })).toMatchObject({ code: 0 });
    expect(test.form().get('client_secret')).toBe(fileSecret);
    const broken = { prod: { ...test.stage, clientSecretCommand: [process.execPath, '-e', 'process.exit(3)'] } };
    const { env: other } = await withProfiles(test.folder, { profiles: broken });
    const failed = await returns(['list'], { env: other });
    expect([failed.code, failed.error]).toEqual([2, expect.stringContaining('ended with the exit code 3')]);
  });

  it('gives the settings of a service with other rules', async () => {
    await using test = await start();
    const other = {
      servicePath: '/rma',
      clientAuthentication: 'form',
      tokenHeader: 'X-Access-Token',
      tokenScheme: 'none',
      serviceHeaders: { 'X-Tenant': 'acme' },
      serviceScopes: { 'returns:read': 'rma.read' },
      tokenLifetime: 900,
    };
    const profiles = { prod: { ...test.stage, ...other, clientSecretFile: test.secretFile } };
    const { env } = await withProfiles(test.folder, { profiles });
    expect(await returns(['list'], { env })).toMatchObject({ code: 0 });
    expect(test.form().get('scope')).toBe('rma.read');
    expect(test.fake.service.requests[0]).toMatchObject({
      path: expect.stringMatching(/^\/rma\/returns/),
      headers: { 'x-access-token': 'token-1', 'x-tenant': 'acme' },
    });
  });

  it('loses against the environment, which loses against options', async () => {
    await using test = await start();
    const profiles = { prod: { ...test.stage, serviceUrl: 'http://127.0.0.1:9', clientSecretFile: test.secretFile } };
    const { env } = await withProfiles(test.folder, { profiles });
    const own = { ...env, RETURNS_URL: test.stage.serviceUrl, RETURNS_CLIENT_ID: 'from-environment' };
    expect(await returns(['list'], { env: own })).toMatchObject({ code: 0 });
    expect(test.form().get('client_id')).toBe('from-environment');
    expect(await returns(['list', '--client-id', 'from-option'], { env: own })).toMatchObject({ code: 0 });
    expect(test.form().get('client_id')).toBe('from-option');
  });

  it.each([0o644, 0o640, 0o604])('is rejected where others can read its file: mode %i', async (mode) => {
    await using test = await start();
    const { env, file } = await withProfiles(test.folder, { profiles: { prod: test.stage } }, mode);
    const { code, error } = await returns(['list'], { env });
    expect([code, error]).toEqual([2, expect.stringContaining(`Run: chmod 600 ${file}`)]);
    expect(test.fake.idp.server.connections()).toBe(0);
  });

  it('is rejected where others can read the file of its secret', async () => {
    await using test = await start();
    await chmod(test.secretFile, 0o644);
    const profiles = { prod: { ...test.stage, clientSecretFile: 'secret' } };
    await mkdir(join(test.folder, 'returns'), { recursive: true });
    await writeFile(join(test.folder, 'returns/secret'), fileSecret, { mode: 0o644 });
    await chmod(join(test.folder, 'returns/secret'), 0o644);
    const { env } = await withProfiles(test.folder, { profiles });
    const { code, error } = await returns(['list'], { env });
    expect([code, error]).toEqual([2, expect.stringMatching(/returns\/secret has the mode 0644/)]);
  });

  it.each([
    [{ profiles: { prod: { servceUrl: 'x' } } }, 'unknown field servceUrl. Did you mean serviceUrl?'],
    [{ profiles: { prod: { clientSecret: fileSecret } } }, 'Store the secret in a file'],
    [{ profiles: { prod: { clientSecretCommand: 'pass show x' } } }, 'must be a list'],
    [
      { profiles: { prod: { serviceUrl: 'http://returns.example.com', authUrl: 'https://id.example.com' } } },
      'must begin with https://',
    ],
    [{ profiles: { a: {}, b: {} } }, 'Choose a profile with --profile'],
    [{ default: 'c', profiles: { a: {}, b: {} } }, 'default must be the name of a profile'],
    [{ profiles: { prod: { tokenHeader: 'Host' } } }, 'tokenHeader must be the name of a header'],
    [
      { profiles: { prod: { serviceHeaders: { 'X-A': 7 } } } },
      'serviceHeaders must be a text, a number or an object of texts',
    ],
    [[], 'must be a JSON object'],
  ])('has to be well-formed: %j', async (content, message) => {
    await using folder = await temporaryFolder();
    const { env } = await withProfiles(folder.path, content);
    const { code, error } = await returns(['list'], { env, cwd: '/' });
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
    expect(error).not.toContain(fileSecret);
  });

  it('gives a certificate, which the token endpoint and the service receive', async () => {
    const [server, own] = [testCertificate('server', from, to), testCertificate('own', from, to)];
    const tls = {
      cert: server.certificate,
      key: server.privateKey,
      ca: [own.certificate],
      requestCert: true,
      rejectUnauthorized: true,
    };
    await using idp = await startTokenEndpoint([fileSecret], tls);
    await using service = await startServer(() => page, tls);
    await using folder = await temporaryFolder();
    const { env } = await withProfiles(folder.path, {
      profiles: {
        prod: {
          serviceUrl: service.origin,
          authUrl: idp.server.origin,
          clientId: 'office',
          clientSecretFile: 'secret',
          certificateFile: 'own.pem',
          privateKeyFile: 'own.key',
          caFile: 'ca.pem',
        },
      },
    });
    const contents = {
      secret: fileSecret,
      'own.pem': own.certificate,
      'own.key': own.privateKey,
      'ca.pem': server.certificate,
    };
    for (const [name, text] of Object.entries(contents))
      await writeFile(join(folder.path, 'returns', name), text, { mode: 0o600 });
    expect(await returns(['list'], { env })).toMatchObject({ code: 0, error: '' });
    expect([idp.server, service].map(({ requests }) => requests[0]?.thumbprint)).toEqual([
      own.thumbprint,
      own.thumbprint,
    ]);
    await chmod(join(folder.path, 'returns/own.key'), 0o644);
    const { code, error } = await returns(['list'], { env });
    expect([code, error]).toEqual([2, expect.stringContaining('own.key has the mode 0644')]);
  });

  it('names a secret of Secrets Manager', async () => {
    const { aws, parameters } = stack();
    const { ServiceUrl: serviceUrl, AuthUrl: authUrl, ClientSecretId: secretId } = parameters.connected;
    await using folder = await temporaryFolder();
    const { env } = await withProfiles(folder.path, { profiles: { prod: { serviceUrl, authUrl, secretId } } });
    const outcome = await returns(['list', '--limit', '1'], { env: { ...functionEnvironment(aws), ...env } });
    expect(outcome).toMatchObject({ code: 0 });
    const { AWS_REGION: _, AWS_DEFAULT_REGION: __, ...elsewhere } = functionEnvironment(aws);
    const unreadable = await returns(['list'], { env: { ...elsewhere, ...env } });
    expect([unreadable.code, unreadable.error]).toEqual([1, expect.stringContaining('AWS_REGION is not set')]);
  });

  it('has the nearest name in the error for an unknown one', async () => {
    await using test = await start();
    const { env } = await withProfiles(test.folder, { profiles: { staging: test.stage } });
    const { code, error } = await returns(['list', '--profile', 'stagin'], { env });
    expect([code, error]).toEqual([2, expect.stringContaining('Did you mean staging?')]);
  });

  it('is listed without its secret, with those of a local stack', async () => {
    await using test = await start();
    const profiles = {
      prod: { ...test.stage, clientSecretFile: test.secretFile },
      dev: { secretId: 'returns/client' },
    };
    const { env } = await withProfiles(test.folder, { default: 'prod', profiles });
    const { code, out } = await returns(['profiles', '--json'], {
      env: { ...onStack('connected'), ...env, RETURNS_PROFILE: '' },
    });
    expect([code, JSON.parse(out)]).toEqual([
      0,
      [
        expect.objectContaining({ name: 'prod', secret: 'file', isDefault: true }),
        expect.objectContaining({ name: 'dev', secret: 'Secrets Manager', isDefault: false }),
        expect.objectContaining({ name: 'local', secret: 'local stack' }),
        expect.objectContaining({ name: 'local-standalone', secret: 'local stack' }),
      ],
    ]);
    expect(out).not.toContain(fileSecret);
  });
});
