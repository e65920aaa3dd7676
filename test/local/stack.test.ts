import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { StackEvent } from '../../lib/local/events.ts';
import { startStack, type StackOptions } from '../../lib/local/stack.ts';
import { runDemo } from '../../lib/local/demo.ts';
import { freePort } from '../../lib/local/ports.ts';
import { openProgress } from '../../lib/local/progress.ts';
import { openRecorder } from '../../lib/local/recorder.ts';
import { temporaryDirectory } from './support.ts';

const start = async (options: StackOptions) => {
  const stack = await startStack(options);
  onTestFinished(() => stack.close());
  return stack;
};

const statusOf = async (url: string): Promise<number | string> =>
  fetch(`${url}/v1/returns/ret_1`).then(
    ({ status }) => status,
    () => 'down',
  );

test('writes down how to call it, for its owner only', async () => {
  const dataDir = await temporaryDirectory();
  const { info } = await start({ dataDir });
  const file = join(dataDir, 'stack.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(info);
  const urls = [
    info.connected.url,
    info.connected.lambdaUrl,
    info.standalone.url,
    info.standalone.lambdaUrl,
    info.hooks.url,
    info.tokenUrl,
    ...Object.values(info.aws.queues),
  ];
  for (const url of urls) expect(new URL(url).hostname).toBe('127.0.0.1');
});

test('a way can be taken down and brought back where it was', async () => {
  const { standalone, connected } = await start({ dataDir: await temporaryDirectory() });
  await standalone.stop();
  expect(await statusOf(standalone.urls.api)).toBe('down');
  expect(await statusOf(connected.urls.api)).toBe(401);
  await standalone.start();
  expect(await statusOf(standalone.urls.api)).toBe(401);
});

test('does the main job, twice, on what an earlier start has left', async () => {
  const dataDir = await temporaryDirectory();
  const run = async () => {
    const recorder = openRecorder();
    const stack = await startStack({ dataDir, onEvent: recorder.record });
    const lines: string[] = [];
    const progress = openProgress((text) => lines.push(text));
    try {
      await runDemo({ stack, recorder, progress, dataDir, verbose: true });
    } finally {
      await stack.close();
    }
    return { lines: lines.join(''), clients: stack.info.clients };
  };
  const first = await run();
  expect(first.lines).toMatch(/POST \/webhooks\/shopify -> 200/);
  expect(first.lines).toMatch(/POST \/v1\/returns -> 201 {2}Location: \/v1\/returns\/ret_/);
  expect(first.lines).toMatch(/requested -> approved/);
  expect(first.lines).toMatch(/event [a-z.]+\.return\.approved of ret_\w+ arrived, signature verified/);
  expect(await run()).toMatchObject({ clients: first.clients });
});

test('does it where the tokens are shared and the refresher was there first', async () => {
  const recorder = openRecorder();
  const dataDir = await temporaryDirectory();
  const stack = await start({ dataDir, sharedToken: true, onEvent: recorder.record });
  const stored = () =>
    recorder.since(0).filter((event) => event.type === 'secret' && event.action === 'PutSecretValue');
  await expect.poll(() => stored().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  expect(await runDemo({ stack, recorder, progress: openProgress(() => undefined), dataDir, verbose: false })).toMatch(
    /^ret_/,
  );
});

test('tells what happens in it', async () => {
  const events: StackEvent[] = [];
  const { info, tokenRequests } = await start({
    dataDir: await temporaryDirectory(),
    onEvent: (event) => events.push(event),
  });
  await statusOf(info.connected.url);
  await fetch(info.tokenUrl, { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) });
  const refused = { source: 'connected', type: 'answered', path: '/v1/returns/ret_1', status: 401 };
  await expect.poll(() => events).toContainEqual(expect.objectContaining(refused));
  expect(events).toContainEqual(expect.objectContaining({ source: 'identity', type: 'token', status: 400 }));
  expect(tokenRequests()).toBe(1);
});

test('leaves nothing behind when it cannot start', async () => {
  const taken = await start({ dataDir: await temporaryDirectory() });
  const port = Number(new URL(taken.info.connected.url).port);
  const dynamodb = await freePort();
  const failing = startStack({ dataDir: await temporaryDirectory(), ports: { connected: port, dynamodb } });
  await expect(failing).rejects.toThrow(/connected way did not start.*EADDRINUSE/);
  await expect(fetch(`http://127.0.0.1:${dynamodb}`)).rejects.toThrow('fetch failed');
});
