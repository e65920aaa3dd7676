import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkService, type ServiceCheckOptions } from '../../../lib/tools/deploy/check-service.ts';
import { reportSmoke } from '../../../lib/tools/deploy/report-smoke.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { readTemplate } from '../../../lib/tools/template/cloudformation/template.ts';
import { readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { packageFiles } from '../../../lib/tools/template/package/package-offer.ts';
import { edited, openWorld } from './world.ts';

const { stack, root, front, create } = await openWorld();

const readOffer = async () => {
  const read = await readAdapter('devolucoes');
  if (!read.ok) throw new Error(read.failure);
  return read.value.offer;
};

/** Checks the service as `npm run deploy` does before it changes the stack. */
const check = async (parameters: Readonly<Record<string, string>> = {}, options: Partial<ServiceCheckOptions> = {}) => {
  const offer = await readOffer();
  const template = await readTemplate(join(root, 'dist/package', offer.folder, packageFiles.template));
  const defaults = Object.entries(template.Parameters ?? {}).map(([name, { Default = '' }]) => [name, String(Default)]);
  const { aws } = stack.info;
  return checkService({
    offer,
    template,
    root,
    values: { ...Object.fromEntries(defaults), ...stack.info.parameters.connected, Stage: 'prod', ...parameters },
    access: {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.secretsManager,
      AWS_ENDPOINT_URL_DYNAMODB: aws.dynamodb,
    },
    ...options,
  });
};

describe('check of the service before a deployment', () => {
  it('passes, and sends reads only', async () => {
    await create();
    const before = front.requests.length;
    expect(await check()).toEqual({ kind: 'fits' });
    const sent = front.requests.slice(before).map(({ method }) => method);
    expect(sent.length).toBeGreaterThan(0);
    expect(new Set(sent)).toEqual(new Set(['GET']));
  });

  it('finds the first difference of an answer, without the value', async () => {
    await create();
    front.meddle(
      'GET',
      '?pagina=1&tamanho=1',
      edited((body) => ({
        ...body,
        itens: (body['itens'] as object[]).map((item) => ({ ...item, criadaEm: 'ontem' })),
      })),
    );
    const found = await check();
    expect(found).toMatchObject({ kind: 'misfit', operation: 'listReturns' });
    expect(JSON.stringify(found)).toContain('The first difference: /criadaEm must be ');
    expect(JSON.stringify(found)).not.toContain('ontem');
  });

  it('proves nothing where this machine does not reach the service', async () => {
    const found = await check({ ServiceUrl: `http://127.0.0.1:${await freePort()}` });
    expect(found).toEqual({
      kind: 'unchecked',
      operation: 'health',
      detail: 'The Returns Service cannot be reached. Try again later.',
    });
  });

  it('proves nothing where this machine may not read the client secret', async () => {
    expect(await check({ ClientSecretId: 'returns/nowhere' })).toMatchObject({
      kind: 'unchecked',
      operation: 'health',
    });
  });
});

/** Writes functions in place of those of the adapter, and returns the folder of their dist/. */
const functionsWith = async (source: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'functions-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['health', 'listReturns']) {
    await mkdir(join(folder, 'dist/adapters/devolucoes', name), { recursive: true });
    await writeFile(join(folder, 'dist/adapters/devolucoes', name, 'index.mjs'), source);
  }
  return folder;
};

describe('check of the service by a function that gives no answer', () => {
  it.each([
    ['does not load', 'throw new Error("no module")', {}, 'the function did not load'],
    [
      'hangs',
      'setInterval(() => {}, 1000); await new Promise(() => {})',
      { limitMs: 500 },
      'the function gave no answer within 1 s',
    ],
  ])('says so where it %s', async (_, source, options, detail) => {
    expect(await check({}, { root: await functionsWith(source), ...options })).toMatchObject({
      kind: 'unchecked',
      detail,
    });
  });
});

describe('smoke test of the adapter devolucoes', () => {
  it('expects 501 from each route that is not offered', async () => {
    expect(await reportSmoke({ api: stack.info.connected.url, offer: await readOffer() })).toBe(0);
  });
});
