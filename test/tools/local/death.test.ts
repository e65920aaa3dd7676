import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { sample } from '../../support/samples.ts';
import { temporaryDirectory } from './support.ts';
import { compileCache } from '../../support/bundles.ts';

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

describe('local stack', () => {
  test.each(sample(['SIGKILL', 'SIGINT', 'SIGTERM'] as const, 3))(
    'ends when its process is ended by %s',
    async (signal) => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', source, await temporaryDirectory()], {
        env: { ...process.env, NODE_COMPILE_CACHE: compileCache() },
      });
      const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      const { connected, standalone, hooks, tokenUrl, receiver, aws } = JSON.parse(line) as StackInfo;
      const modes = [connected.url, connected.lambdaUrl, standalone.url, standalone.lambdaUrl, standalone.hooksUrl];
      const emulators = [aws.dynamodb, aws.sqs, aws.secretsManager, aws.eventBridge];
      const urls = [...modes, ...emulators, hooks.url, tokenUrl, receiver.url];
      const open = async () => Promise.all(urls.map(isOpen));
      expect(await open()).not.toContain(false);
      child.kill(signal);
      await once(child, 'exit');
      await expect.poll(open).not.toContain(true);
    },
  );
});
