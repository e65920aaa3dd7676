import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Container } from '../support/lambda-runtime/container.ts';
import { startPlanted } from '../support/lambda-runtime/planted.ts';

const readUntil = async (container: Container, words: string): Promise<void> => {
  while (!(await container.log()).includes(words)) await turn();
};

describe.concurrent('Lambda runtime', () => {
  it('passes the event and its context', async () => {
    await using container = await startPlanted(`
      export const handler = async (event, context) => ({
        event,
        ...context,
        remaining: context.getRemainingTimeInMillis(),
        trace: process.env._X_AMZN_TRACE_ID,
        here: process.cwd() === process.env.LAMBDA_TASK_ROOT,
        version: process.version,
      });`);
    const { outcome } = await container.invoke({ text: 'ä' }, 3_000);
    expect(outcome).toMatchObject({
      kind: 'response',
      payload: {
        event: { text: 'ä' },
        functionName: 'planted',
        functionVersion: '$LATEST',
        memoryLimitInMB: '256',
        invokedFunctionArn: expect.stringMatching(/^arn:aws:lambda:.*:function:planted$/),
        awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        trace: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}/),
        here: true,
        version: process.version,
      },
    });
    const { remaining } = (outcome as unknown as { payload: { remaining: number } }).payload;
    expect(remaining).toBeGreaterThan(1_000);
    expect(remaining).toBeLessThanOrEqual(3_000);
  });

  it('passes large events and responses with any content', async () => {
    await using container = await startPlanted('export const handler = async (event) => event;');
    const event = { text: 'a\u2028b\u2029c\n\r\u0085ä€😀'.repeat(100_000) };
    for (const _ of ['once', 'again']) {
      expect((await container.invoke(event)).outcome).toEqual({ kind: 'response', payload: event });
    }
  });

  it('reports the error that a handler threw, and continues', async () => {
    await using container = await startPlanted(`
      let times = 0;
      const answers = [
        () => { throw new RangeError('out of it'); },
        () => { throw 'text'; },
        () => 1n,
      ];
      export const handler = async () => { times += 1; return answers.shift()?.() ?? times; };`);
    const next = async () => (await container.invoke({})).outcome;
    const error = (errorType: string, errorMessage: string) => ({
      kind: 'error',
      error: { errorType, errorMessage, trace: expect.any(Array) },
    });
    expect(await next()).toEqual(error('RangeError', 'out of it'));
    expect(await next()).toEqual(error('string', 'text'));
    expect(await next()).toEqual(error('Runtime.JSONStringifyError', 'Unable to stringify response body'));
    expect(await next()).toEqual({ kind: 'response', payload: 4 });
    expect(await container.log()).toContain('out of it');
  });

  it('runs one event after another', async () => {
    await using container = await startPlanted(`
      let running = 0;
      export const handler = async (n) => {
        running += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return [n, running];
      };`);
    const invoked = await Promise.all([1, 2, 3].map((n) => container.invoke(n)));
    expect(invoked.map(({ outcome }) => outcome)).toEqual(
      [1, 2, 3].map((n) => ({ kind: 'response', payload: [n, 0] })),
    );
  });

  it('ends when the function ends it', async () => {
    await using container = await startPlanted('export const handler = async () => process.exit(7);');
    await expect(container.invoke({})).rejects.toThrow(/planted ended: .*"code":7/);
  });

  it('ends with an unhandled rejection, during an invocation and after it', async () => {
    const source = (ms: number) => `
      const reject = () => void Promise.reject(new Error('unhandled here'));
      export const handler = async () => void (${ms} === 0 ? reject() : setTimeout(reject, ${ms}).unref());`;
    await using during = await startPlanted(source(0));
    await expect(during.invoke({})).rejects.toThrow(/planted ended: .*"code":1.*unhandled here/s);
    const after = await startPlanted(source(1_000));
    await after.invoke({});
    await readUntil(after, 'unhandled here');
    await expect(after[Symbol.asyncDispose]()).rejects.toThrow(/planted ended by itself\n.*unhandled here/s);
  });

  it('has a later wall clock after a freeze', async () => {
    await using container = await startPlanted(`
      export const handler = async (event, context) => [Date.now(), performance.now(), context.getRemainingTimeInMillis()];`);
    const readClocks = async () => {
      const { outcome } = await container.invoke({}, 3_000);
      return (outcome as unknown as { payload: [number, number, number] }).payload;
    };
    const [wall, monotonic] = await readClocks();
    await container.freeze();
    container.thaw(600_000);
    const [wallThen, monotonicThen, remaining] = await readClocks();
    expect(wallThen - wall).toBeGreaterThanOrEqual(600_000);
    expect(monotonicThen - monotonic).toBeLessThan(600_000);
    expect(remaining).toBeGreaterThan(1_000);
    expect(remaining).toBeLessThanOrEqual(3_000);
  });
});
