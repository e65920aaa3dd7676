import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { defaultProvider } from '../../../lib/tools/build/slim/credentials.ts';
import { NodeHttpHandler } from '../../../lib/tools/build/slim/http-handler.ts';
import { httpParserFile, replaced } from '../../../lib/tools/build/slim/replaced.ts';
import { functionBundle } from '../../support/bundles.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

const bundles = modes.flatMap((mode) =>
  functionFiles(offers[mode]).map(({ name }): [string, string] => [
    `${mode} ${name}`,
    readFileSync(functionBundle(mode, name), 'utf8'),
  ]),
);

describe('packages of a slim bundle', () => {
  it('are the tested versions: an upgrade needs a check of lib/tools/build/slim', () => {
    const { dependencies } = json('package.json');
    expect(dependencies).toMatchObject({
      undici: '8.12.4',
      '@smithy/node-http-handler': '4.14.2',
      '@middy/core': '7.9.2',
    });
    expect(json('node_modules/undici/package.json')).toMatchObject({ version: '8.12.4' });
    expect(json('node_modules/@smithy/node-http-handler/package.json')).toMatchObject({ version: '4.14.2' });
    expect(json('node_modules/@middy/core/package.json')).toMatchObject({ version: '7.9.2' });
    expect(json('node_modules/@smithy/core/package.json')).toMatchObject({ version: '3.41.0' });
    expect(json('node_modules/@smithy/signature-v4/package.json')).toMatchObject({ version: '5.7.5' });
  });

  it.each([
    'undici/lib/core/connect.js',
    'undici/lib/dispatcher/pool.js',
    'undici/lib/llhttp/llhttp_simd-wasm.js',
    ...Object.keys(replaced),
  ])('have %s', (file) => {
    expect(existsSync(`node_modules/${file}`)).toBe(true);
  });

  it.each(['dynamodb', 'secrets-manager', 'sqs'])('are those that the client of %s uses', (service) => {
    const client = createRequire(resolve(`node_modules/@aws-sdk/client-${service}/package.json`));
    for (const name of ['@smithy/node-http-handler', '@smithy/core/config', '@smithy/signature-v4']) {
      const [, owner = ''] = /^(@[^/]+\/[^/]+)/.exec(name) ?? [];
      expect(client.resolve(name)).toContain(resolve(`node_modules/${owner}/`));
    }
  });
});

describe('every bundle', () => {
  const guilty = (is: (source: string) => boolean) => bundles.filter(([, source]) => is(source)).map(([name]) => name);

  it.each([
    ['the credential chain', /sso_start_url|credential_process|169\.254\.170\.2/],
    ['profiles', /AWS_SHARED_CREDENTIALS_FILE/],
    ['HTTP/2', /node:http2/],
    ['fetch', /multipart\/form-data/],
    ['the built-in undici of Node', /from ?"node:https?"|import\("node:https?"\)/],
  ])('leaves out %s', (_, mark) => {
    expect(guilty((source) => mark.test(source))).toEqual([]);
  });

  it('has no code of a package that only other functions use', () => {
    const initialValueOfMd5 = '1732584193';
    const having = guilty((source) => source.includes(initialValueOfMd5));
    expect(having).toEqual(guilty((source) => source.includes('AmazonSQS')));
    expect(having).toContain('standalone receiveWebhook');
  });

  it('has the HTTP parser as a separate file if it needs one', () => {
    const wasm = 'AGFzbQ';
    expect(guilty((source) => source.includes(wasm))).toEqual([]);
    const needing = bundles.filter(([, source]) => source.includes(httpParserFile)).map(([name]) => name);
    const having = bundles
      .map(([name]) => name)
      .filter((name) => existsSync(`dist/${name.replace(' ', '/')}/${httpParserFile}`));
    expect(having).toEqual(needing);
    expect(needing).toContain('connected getReturn');
  });
});

describe('credentials of a slim bundle', () => {
  const provide = defaultProvider();
  const withEnvironment = async (environment: Record<string, string>) => {
    const before = process.env;
    process.env = environment;
    try {
      return await provide();
    } finally {
      process.env = before;
    }
  };

  it('are read from the environment at the time of the call', async () => {
    const first = { AWS_ACCESS_KEY_ID: 'id-1', AWS_SECRET_ACCESS_KEY: 'secret-1', AWS_SESSION_TOKEN: 'token-1' };
    expect(await withEnvironment(first)).toEqual({
      accessKeyId: 'id-1',
      secretAccessKey: 'secret-1',
      sessionToken: 'token-1',
      $source: { CREDENTIALS_ENV_VARS: 'g' },
    });
    const second = {
      AWS_ACCESS_KEY_ID: 'id-2',
      AWS_SECRET_ACCESS_KEY: 'secret-2',
      AWS_ACCOUNT_ID: '123456789012',
      AWS_CREDENTIAL_SCOPE: 'eu',
      AWS_CREDENTIAL_EXPIRATION: '2026-11-21T00:00:00Z',
    };
    expect(await withEnvironment(second)).toEqual({
      accessKeyId: 'id-2',
      secretAccessKey: 'secret-2',
      accountId: '123456789012',
      credentialScope: 'eu',
      expiration: new Date('2026-11-21T00:00:00Z'),
      $source: { CREDENTIALS_ENV_VARS: 'g' },
    });
  });

  it.each([{}, { AWS_ACCESS_KEY_ID: 'id' }, { AWS_SECRET_ACCESS_KEY: 'secret' }])(
    'cause an error when they are missing: %j',
    async (environment) => {
      await expect(withEnvironment(environment)).rejects.toThrow(
        'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not in the environment',
      );
    },
  );
});

it('slim SDK client uses its given handler unchanged', () => {
  const handler = NodeHttpHandler.create();
  expect(NodeHttpHandler.create(handler)).toBe(handler);
});
