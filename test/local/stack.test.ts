import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStack } from '../../lib/local/stack.ts';
import { runDemo, StepError } from '../../lib/local/demo/demo.ts';
import { freePort } from '../../lib/local/ports.ts';
import { openProgress } from '../../lib/local/demo/progress.ts';
import { openRecorder } from '../../lib/local/demo/recorder.ts';
import { sharedStack } from '../support/own-stack.ts';
import { temporaryDirectory } from './support.ts';

const statusOf = async (url: string): Promise<number | string> =>
  fetch(`${url}/v1/returns/ret_1`).then(
    ({ status }) => status,
    () => 'down',
  );

const shared = await sharedStack();

test('writes down how to call it, for its owner only', async () => {
  const { dataDir, info } = shared;
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

test('tells what happens in it', async () => {
  const { events, info, tokenRequests } = shared;
  const [begun, before] = [events.length, tokenRequests()];
  await statusOf(info.connected.url);
  await fetch(info.tokenUrl, { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) });
  const refused = { source: 'connected', type: 'answered', path: '/v1/returns/ret_1', status: 401 };
  await expect.poll(() => events.slice(begun)).toContainEqual(expect.objectContaining(refused));
  const token = { source: 'identity', type: 'token', status: 400 };
  expect(events.slice(begun)).toContainEqual(expect.objectContaining(token));
  expect(tokenRequests() - before).toBe(1);
});

test('leaves nothing behind when it cannot start', async () => {
  const port = Number(new URL(shared.info.connected.url).port);
  const dynamodb = await freePort();
  const failing = startStack({ dataDir: await temporaryDirectory(), ports: { connected: port, dynamodb } });
  await expect(failing).rejects.toThrow(/connected way did not start.*EADDRINUSE/);
  await expect(fetch(`http://127.0.0.1:${dynamodb}`)).rejects.toThrow('fetch failed');
});

test('does the main job, and once more on what that start has left, where the refresher of shared tokens was first', async () => {
  const dataDir = await temporaryDirectory();
  const run = async (options: { sharedToken: boolean; storedFirst: number; platforms?: string }) => {
    const { storedFirst, ...others } = options;
    const recorder = openRecorder();
    const stack = await startStack({ dataDir, ...others, onEvent: recorder.record });
    const lines: string[] = [];
    const progress = openProgress((text) => lines.push(text));
    const stored = () =>
      recorder.since(0).filter((event) => event.type === 'secret' && event.action === 'PutSecretValue');
    try {
      await expect.poll(() => stored().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(storedFirst);
      const returnId = await runDemo({ stack, recorder, progress, dataDir, verbose: true });
      return { lines: lines.join(''), returnId, clients: stack.info.clients };
    } finally {
      await stack.close();
    }
  };
  const first = await run({ sharedToken: false, storedFirst: 0 });
  expect(first.lines).toMatch(/POST \/webhooks\/shopify -> 200/);
  expect(first.lines).toMatch(/POST \/v1\/returns -> 201 {2}Location: \/v1\/returns\/ret_/);
  expect(first.lines).toMatch(/requested -> approved/);
  expect(first.lines).toMatch(/event [a-z.]+\.return\.approved of ret_\w+ arrived, signature verified/);
  // A platform that has no shop on this machine: the demo takes its orders all the same.
  const second = await run({ sharedToken: true, storedFirst: 2, platforms: 'adobe,woocommerce' });
  expect(second).toMatchObject({ clients: first.clients, returnId: expect.stringMatching(/^ret_/) });
  expect(second.lines).toMatch(/Register an order of adobe in connected mode/);
  expect(second.lines).toMatch(/PUT \/v1\/orders\/adobe\/demo-\S+ -> 201/);
});

test('a way can be taken down and brought back where it was, and the demo names the step that failed without it', async () => {
  const dataDir = await temporaryDirectory();
  const recorder = openRecorder();
  const stack = await startStack({ dataDir, onEvent: recorder.record });
  onTestFinished(() => stack.close());
  const { standalone, connected } = stack;
  await standalone.stop();
  expect(await statusOf(standalone.urls.api)).toBe('down');
  expect(await statusOf(connected.urls.api)).toBe(401);

  let output = '';
  const progress = openProgress((text) => (output += text));
  const failed = await runDemo({ stack, recorder, progress, dataDir, verbose: false }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(StepError);
  const { message, excerpt } = failed as StepError;
  expect(message).toBe('The step "2. Subscribe a webhook endpoint to approvals" failed');
  expect(excerpt.join('\n')).toMatch(/logs\/connected\.log:\n.*service not reached.*ECONNREFUSED/);
  expect(output).toMatch(/2\. Subscribe a webhook endpoint to approvals +\d+\.\d s {2}failed\n$/);

  await standalone.start();
  expect(await statusOf(standalone.urls.api)).toBe(401);
});
