import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import type { FunctionInvoked } from '../../lib/local/events.ts';
import { shareEnvironment } from '../../lib/local/emulators/identities.ts';
import { functionSpecs, sharedEnvironment, startFunctions } from '../../lib/local/emulators/functions.ts';
import { liveAliasOf, temporaryDirectory } from './support.ts';

const template = (names: readonly string[], properties: object = {}) => ({
  Resources: Object.fromEntries(
    names.flatMap((name) => [
      [
        name,
        {
          Type: 'AWS::Lambda::Function',
          Properties: {
            FunctionName: `returns-dev-${name}`,
            Handler: `dist/${name}/index.handler`,
            Timeout: 1,
            MemorySize: 512,
            ...properties,
          },
        },
      ],
      [`${name}Live`, liveAliasOf(name)],
    ]),
  ),
});

const specsOf = (names: readonly string[], properties?: object) =>
  functionSpecs(deploy(template(names, properties), { mode: 'connected', parameters: {}, sqs: '' }));

const start = async (source: string, names: readonly string[] = ['thing']) => {
  const root = await temporaryDirectory();
  for (const name of names) await mkdir(join(root, 'dist', name), { recursive: true });
  const write = async (text: string) => {
    for (const name of names) await writeFile(join(root, 'dist', name, 'index.mjs'), text);
  };
  await write(source);
  const invoked: FunctionInvoked[] = [];
  const specs = specsOf(names);
  const arnOf = (key: string) => specs.find((spec) => spec.key === key)?.arn ?? '';
  const invoke = startFunctions(specs, root, (event) => invoked.push(event));
  // Errors of a function are written to the log of its mode.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  return { write, invoked, invoke: (event: unknown, key = 'thing') => invoke(arnOf(key), event, 'http') };
};

describe('local function container', () => {
  test('handles one event after another, with JSON in both directions', async () => {
    const { invoke, invoked } = await start(`
    let count = 0;
    export const handler = async (event, context) => {
      event.mine = true;
      const { functionName, memoryLimitInMB, awsRequestId } = context;
      return { count: ++count, date: new Date(0), gone: undefined, functionName, memoryLimitInMB, awsRequestId, left: context.getRemainingTimeInMillis() };
    };`);
    const event = { at: new Date(0) };
    const first = await invoke(event);
    expect(first).toMatchObject({
      count: 1,
      date: '1970-01-01T00:00:00.000Z',
      functionName: 'returns-dev-thing',
      memoryLimitInMB: '512',
    });
    expect(first).not.toHaveProperty('gone');
    expect((first as { left: number }).left).toBeGreaterThan(900);
    expect(event).toEqual({ at: new Date(0) });
    const second = await invoke(event);
    expect(second).toMatchObject({ count: 2 });
    expect(second).not.toMatchObject({ awsRequestId: (first as { awsRequestId: string }).awsRequestId });
    expect(invoked).toMatchObject([
      { function: 'thing', trigger: 'http', cold: true },
      { function: 'thing', trigger: 'http', cold: false },
    ]);
  });

  test('survives an exception of its handler, which stays inside', async () => {
    const { invoke, invoked } = await start(`
    let count = 0;
    export const handler = async () => { count += 1; if (count === 2) throw new TypeError('secret'); return count; };`);
    await invoke({});
    await expect(invoke({})).rejects.toThrow(/^returns-dev-thing failed$/);
    expect(await invoke({})).toBe(3);
    expect(invoked[1]).toMatchObject({ error: 'TypeError' });
  });

  test('is replaced after a timeout, and the next event starts a new one', async () => {
    const { invoke } = await start(`
    let count = 0;
    export const handler = (event) => { count += 1; return event.hang ? new Promise(() => {}) : Promise.resolve(count); };`);
    expect(await invoke({})).toBe(1);
    await expect(invoke({ hang: true })).rejects.toThrow('Task timed out after 1 seconds');
    expect(await invoke({})).toBe(1);
  });

  test('starts again after a failed start', async () => {
    const { invoke, write } = await start("throw new Error('no variable');");
    await expect(invoke({})).rejects.toThrow('failed');
    await write('export const handler = async () => 7;');
    expect(await invoke({})).toBe(7);
  });

  test('uses its function’s own access key: while loading, while working, and in background work', async () => {
    const before = process.env;
    onTestFinished(() => void (process.env = before));
    shareEnvironment();
    const key = 'process.env.AWS_ACCESS_KEY_ID';
    const names = ['one', 'two', 'three'];
    const { invoke } = await start(
      `
    const loaded = ${key};
    await new Promise((resolve) => setTimeout(resolve, 1));
    let left;
    export const handler = async () => {
      const earlier = await left;
      left = new Promise((resolve) => setTimeout(() => resolve(${key}), 5));
      await new Promise((resolve) => setTimeout(resolve, 1));
      return { loaded, now: ${key}, copied: { ...process.env }.AWS_ACCESS_KEY_ID, earlier };
    };`,
      names,
    );
    const all = async () => Promise.all(names.map((name) => invoke({}, name)));
    await all();
    expect(await all()).toEqual(
      names.map((name) => `returns-dev-${name}`).map((own) => ({ loaded: own, now: own, copied: own, earlier: own })),
    );
    expect(process.env['AWS_ACCESS_KEY_ID']).toBe(before['AWS_ACCESS_KEY_ID']);
  });

  test('fails where variables of two functions conflict, because all share them', () => {
    const one = specsOf(['a', 'b'], { Environment: { Variables: { LEVEL: 'info', COUNT: 3 } } });
    expect(sharedEnvironment(one)).toEqual({ LEVEL: 'info', COUNT: '3' });
    const other = specsOf(['c'], { Environment: { Variables: { LEVEL: 'debug' } } });
    expect(() => sharedEnvironment([...one, ...other])).toThrow('returns-dev-c: LEVEL');
  });
});
