import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort, listen, portsFromEnvironment } from '../../../lib/tools/local/ports.ts';
import {
  portVariable,
  readStartRequest,
  startCommand,
  type StartOptions,
} from '../../../lib/tools/local/start-command.ts';

const read = (...args: readonly string[]) => readStartRequest(args, process.env);
const wrong = (message: string) => ({ kind: 'wrong', message });

describe('npm start options', () => {
  beforeEach(() => {
    for (const name of Object.keys(process.env).filter((variable) => variable.startsWith('PORT_')))
      vi.stubEnv(name, '');
  });
  afterEach(() => vi.unstubAllEnvs());

  it('have defaults', async () => {
    const options = { dataDir: '.local', platforms: 'shopify', returnTerms: {}, once: false, maps: false };
    expect(await read()).toMatchObject({ kind: 'start', options });
  });

  it('include platforms, terms and a folder', async () => {
    const options = { dataDir: 'there', platforms: 'shopify, vtex', returnTerms: { approval: 'auto' } };
    const args = ['--data-dir', 'there', '--platforms', 'shopify, vtex', '--terms', '{"approval":"auto"}'];
    expect(await read(...args)).toMatchObject({ kind: 'start', options });
  });

  it('include an adapter, whose deployment replaces both modes', async () => {
    const { options } = (await read('--adapter', 'devolucoes')) as { readonly options: StartOptions };
    expect(options.offer).toMatchObject({ folder: 'adapters/devolucoes', adapter: { name: 'devolucoes' } });
    expect(Object.keys(options.offer?.entries ?? {})).toContain('approve');
    expect(Object.keys(options.offer?.entries ?? {})).not.toContain('refund');
    expect(await read('--adapter', 'own')).toMatchObject({ options: { offer: undefined } });
  });

  const service = (scheme: string) =>
    ['--adapter', 'bol', '--service', `${scheme}://a.example`, '--auth', 'https://b.example', '--secret'] as const;
  it.each([
    [['--frsh'], 'Unknown option --frsh. Did you mean --fresh?'],
    [['--platforms', 'shopfy'], '--platforms: unknown platform "shopfy". Did you mean shopify?'],
    [['--platforms', 'shopify,'], expect.stringMatching(/^--platforms: unknown platform "". There are adobe, .*vtex/)],
    [['--adapter', 'devoluçoes'], '--adapter: unknown adapter "devoluçoes". Did you mean devolucoes?'],
    [['--adapter', 'shop'], expect.stringMatching(/^--adapter: unknown adapter "shop"\. There are .*devolucoes/)],
    [['--adapter', 'devolucoes', '--seed'], '--seed: only both modes have it. Leave out --adapter.'],
    [['--adapter', 'devolucoes', '--terms', '{}'], '--terms: only both modes have it. Leave out --adapter.'],
    [['--adapter', 'bol'], expect.stringMatching(/^--adapter: there is no example service for bol\. Name yours /)],
    [['--service', 'https://rma.example.com'], '--service needs --adapter.'],
    [['--secret', 'client.json'], '--secret needs --service.'],
    [['--adapter', 'bol', '--service', 'https://a.example', '--auth', 'x'], '--service needs --auth and --secret.'],
    [[...service('http'), 'client.json'], expect.stringMatching(/^--service must begin with https/)],
    [[...service('https'), 'missing.json'], '--secret: missing.json is not readable.'],
    [[...service('https'), 'README.md'], '--secret must name a file with a JSON object.'],
    [['--terms', '{'], '--terms: must be JSON.'],
    [['--terms', '[]'], '--terms: / must be an object.'],
    [
      ['--terms', '{"fees":{"restockingBp":1}}'],
      expect.stringMatching(/restockingBp .* Did you mean restockingBps\?$/),
    ],
    [['--terms', '{"approval":"never"}'], '--terms: /approval must be one of manual, auto.'],
  ])('fail with one sentence: %j', async (args, message: unknown) => {
    expect(await read(...args)).toEqual({ kind: 'wrong', message });
  });

  it('read each port from the variable that it names', async () => {
    for (const [index, server] of Object.keys(portsFromEnvironment()).entries()) {
      vi.stubEnv(portVariable(server), String(20_000 + index));
      expect(portsFromEnvironment()).toMatchObject({ [server]: 20_000 + index });
    }
  });

  it('fail where a port is invalid, in use, or named twice', async () => {
    vi.stubEnv('PORT_SHOP', '70000');
    expect(await read()).toEqual(wrong('environment variable PORT_SHOP must be a port from 1 to 65535.'));
    const server = createServer();
    const port = Number(new URL(await listen(server, 0)).port);
    vi.stubEnv('PORT_SHOP', String(port));
    expect(await read()).toEqual(wrong(`PORT_SHOP: port ${port} is in use. Choose another one.`));
    await new Promise((resolve) => server.close(resolve));
    const free = await freePort();
    vi.stubEnv('PORT_SHOP', String(free));
    vi.stubEnv('PORT_SQS', String(free));
    expect(await read()).toEqual(wrong(`PORT_SHOP and PORT_SQS are both ${free}.`));
  });

  it('fail where a variable resembles one of a port', async () => {
    vi.stubEnv('PORT_CONECTED', '8080');
    expect(await read()).toEqual(wrong('Unknown environment variable PORT_CONECTED. Did you mean PORT_CONNECTED?'));
    vi.stubEnv('PORT_CONECTED', undefined);
    vi.stubEnv('PORT_SOMETHING_ELSE', '8080');
    expect(await read()).toMatchObject({ kind: 'start' });
  });
});

const variablesIn = (text: string): readonly string[] =>
  [...new Set(text.match(/\b(?:PORT_[A-Z_]+|HOST|RETURNS_ENGINE|AWS_ENDPOINT_URL_DYNAMODB)\b/g))].toSorted();

describe('npm start -- --help', () => {
  it('names every option and variable that the guides name', async () => {
    const request = await read('--help');
    const help = request.kind === 'help' ? request.text : '';
    const names = ['HOST', 'RETURNS_ENGINE', 'AWS_ENDPOINT_URL_DYNAMODB'];
    const ports = Object.keys(portsFromEnvironment({})).map(portVariable);
    expect(variablesIn(help)).toEqual([...names, ...ports].toSorted());
    for (const guide of ['getting-started.md', 'pt/getting-started.md']) {
      const text = readFileSync(`lib/tools/guides/${guide}`, 'utf8');
      expect(variablesIn(text)).toEqual(variablesIn(help));
      const options = [...text.matchAll(/^\| `--([a-z-]+)/gm)].map(([, name = '']) => name);
      expect(options.toSorted()).toEqual(Object.keys(startCommand.options).toSorted());
    }
    expect(help).not.toContain('README');
  });

  it('promises reads for the first steps only, because later calls reach the service too', () => {
    expect(startCommand.options['service']?.about).toMatch(/ The first steps only read\.$/);
  });
});
