import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startStack } from '../../../lib/tools/local/stack.ts';
import { runDemo } from '../../../lib/tools/local/demo/demo.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { openProgress } from '../../../lib/tools/local/demo/progress.ts';
import { openRecorder } from '../../../lib/tools/local/demo/recorder.ts';
import { StepError } from '../../../lib/tools/local/demo/step.ts';
import { createWaits, waitAloud } from '../../../lib/tools/local/waits.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { compileCache } from '../../support/bundles.ts';
import { sharedStack } from '../../support/own-stack.ts';
import { runsEveryCase, sample } from '../../support/samples.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { temporaryDirectory } from './support.ts';

const statusOf = async (url: string): Promise<number | string> =>
  fetch(`${url}/v1/returns/ret_1`).then(
    ({ status }) => status,
    () => 'down',
  );

/** A program that starts a stack, and prints its addresses. */
const source = `
  import { startStack } from './lib/tools/local/stack.ts';
  const { info } = await startStack({ dataDir: process.argv[1] });
  console.log(JSON.stringify(info));
`;

const isOpen = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });

const shared = await sharedStack();

describe('local stack', () => {
  test('writes a file with its addresses and credentials, for its owner only', async () => {
    const { dataDir, info } = shared;
    const file = join(dataDir, 'stack.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(info);
    const { connected, standalone, hooks, tokenUrl, aws } = info;
    const urls = [connected.url, connected.lambdaUrl, standalone.url, standalone.lambdaUrl, hooks.url, tokenUrl];
    urls.push(...Object.values(aws.queues));
    for (const url of urls) expect(new URL(url).hostname).toBe('127.0.0.1');
  });

  test('leaves nothing behind when it cannot start', async () => {
    const port = Number(new URL(shared.info.connected.url).port);
    const dynamodb = await freePort();
    const failing = startStack({
      dataDir: await temporaryDirectory(),
      ports: { connected: port, dynamodb },
      modes: runsEveryCase() ? modes : ['connected'],
    });
    await expect(failing).rejects.toThrow(/connected mode did not start.*EADDRINUSE/);
    await expect(fetch(`http://127.0.0.1:${dynamodb}`)).rejects.toThrow('fetch failed');
  });

  test('runs the demo on the data of an earlier start, and names the step that fails without the standalone mode', async () => {
    const dataDir = await temporaryDirectory();
    const earlier = await startStack({ dataDir, modes: [] });
    await earlier.close();
    const recorder = openRecorder();
    // A platform without a shop on this machine: the demo still ingests its orders. start.test.ts has one with a shop.
    const options = { sharedToken: true, platforms: 'adobe,woocommerce' };
    const stack = await startStack({ dataDir, ...options, onEvent: recorder.record });
    onTestFinished(stack.close);
    expect(stack.info.clients).toEqual(earlier.info.clients);
    let printed = '';
    const progress = openProgress((text) => (printed += text));
    const stored = () =>
      recorder.since(0).filter((event) => event.type === 'secret' && event.action === 'PutSecretValue');
    await expect.poll(() => stored().length).toBeGreaterThanOrEqual(2);
    const demo = { stack, recorder, progress, waitFor: waitAloud, dataDir, verbose: true };
    expect(await runDemo(demo)).toMatchObject({ id: expect.stringMatching(/^ret_/) });
    expect(printed).toMatch(/Register an order of adobe in connected mode/);
    expect(printed).toMatch(/PUT \/v1\/orders\/adobe\/demo-\S+ -> 201/);
    expect(printed).toMatch(/requested -> approved/);
    expect(printed).toMatch(/event [a-z.]+\.return\.approved of ret_\w+ arrived, signature verified/);

    // A mode stops, and starts again at the same place.
    const { standalone, connected } = stack;
    await standalone.stop();
    expect([await statusOf(standalone.urls.api), await statusOf(connected.urls.api)]).toEqual(['down', 401]);
    let clock = 0;
    const { waitFor, check } = createWaits({ now: () => clock, report: () => undefined, quietMs: 1, endMs: 2 });
    const mark = recorder.mark();
    const failing = runDemo({ ...demo, waitFor, verbose: false }).catch((error: unknown) => error);
    // The demo repeats a request that gets 503.
    const repeated = () => recorder.since(mark).filter((event) => event.type === 'answered' && event.status === 503);
    await expect.poll(() => repeated().length).toBeGreaterThan(1);
    clock = 2;
    check();
    const failed = await failing;
    expect(failed).toBeInstanceOf(StepError);
    const { message, cause, excerpt } = failed as StepError;
    expect((cause as Error).message).toMatch(
      /^waited .* without progress for .*\(answered 503, dependency_unavailable: /,
    );
    expect(message).toBe('The step "2. Subscribe a webhook endpoint to approvals" failed');
    expect(excerpt.join('\n')).toMatch(/logs\/connected\.log:\n.*service not reached.*ECONNREFUSED/);
    expect(printed).toMatch(/2\. Subscribe a webhook endpoint to approvals +\d+\.\d s {2}failed\n$/);
    await standalone.start();
    expect(await statusOf(standalone.urls.api)).toBe(401);
  });

  test.each(sample(['SIGKILL', 'SIGINT', 'SIGTERM'] as const, 3))(
    'ends when its process is ended by %s',
    async (signal) => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', source, await temporaryDirectory()], {
        env: { ...process.env, NODE_COMPILE_CACHE: compileCache() },
      });
      const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      const { connected, standalone, hooks, tokenUrl, receiver, aws } = JSON.parse(line) as StackInfo;
      const apis = [connected.url, connected.lambdaUrl, standalone.url, standalone.lambdaUrl, standalone.hooksUrl];
      const emulators = [aws.dynamodb, aws.sqs, aws.secretsManager, aws.eventBridge];
      const urls = [...apis, ...emulators, hooks.url, tokenUrl, receiver.url];
      const open = async () => Promise.all(urls.map(isOpen));
      expect(await open()).not.toContain(false);
      child.kill(signal);
      await once(child, 'exit');
      await expect.poll(open).not.toContain(true);
    },
  );
});
