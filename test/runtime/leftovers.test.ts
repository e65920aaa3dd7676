import { describe, expect, it } from 'vitest';
import { startServer } from '../support/http-server.ts';
import { startPlanted } from '../support/lambda-runtime/planted.ts';
import { sample } from '../support/samples.ts';

type Planted = {
  /** The body of the handler. */
  readonly body?: string;
  /** The code of the module, before the handler. */
  readonly module?: string;
  readonly event?: object;
};

/** Returns the leftovers after the function has loaded, and after each of two invocations. The second does nothing. */
const leftBy = async ({ body = '', module = '', event = {} }: Planted) => {
  await using container = await startPlanted(`${module}
    let times = 0;
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    export const handler = async (event) => { times += 1; if (times > 1) return; ${body} };`);
  const { left: loaded } = await container.ready;
  return { loaded, left: [(await container.invoke(event)).left, (await container.invoke(event)).left] };
};

const nothing = { loaded: [], left: [[], []] };

/** Expects the same leftovers each time, each matching one of these patterns. */
const always = (...kinds: readonly RegExp[]) => {
  const each = kinds.map((kind) => expect.stringMatching(kind));
  return { loaded: [], left: [each, each] };
};

describe.concurrent('allowed state after an invocation', () => {
  it.each(
    sample(
      [
        { what: 'an answer', body: 'return 1;' },
        { what: 'work that has ended', body: 'await wait(1); await Promise.all([wait(1), wait(2)]);' },
        { what: 'an unreferenced timer', body: 'setTimeout(() => {}, 60_000).unref();' },
        { what: 'a timer that was stopped', body: 'clearTimeout(setTimeout(() => {}, 60_000));' },
        {
          what: 'a promise that nothing can settle any more',
          body: 'void (async () => await new Promise(() => {}))();',
        },
      ],
      5,
      2,
    ),
  )('includes $what', async (planted) => {
    expect(await leftBy(planted)).toEqual(nothing);
  });

  it('includes an idle connection', async () => {
    await using server = await startServer(() => ({ status: 200, body: '{}' }));
    const event = { url: server.origin };
    const byFetch = 'await (await fetch(event.url)).json();';
    expect(await leftBy({ event, body: byFetch })).toEqual(nothing);
    const module = "import { Agent, get } from 'node:http'; const agent = new Agent({ keepAlive: true });";
    const read = '(response) => response.resume().on("end", resolve)';
    const byHttp = `await new Promise((resolve) => get(event.url, { agent }, ${read}));`;
    expect(await leftBy({ event, module, body: byHttp })).toEqual(nothing);
  });
});

describe.concurrent('leftover', () => {
  it.each(
    sample(
      [
        { what: 'a timer', body: 'setTimeout(() => {}, 60_000);', kinds: [/^timer of handler .*index\.mjs:\d+:\d+$/] },
        { what: 'an interval', body: 'setInterval(() => {}, 60_000);', kinds: [/^timer of handler /] },
        { what: 'work that goes on', body: 'void wait(60_000);', kinds: [/^timer of /, /^promise of wait /] },
        {
          what: 'a promise that something may settle',
          body: 'globalThis.kept = new Promise((resolve) => (globalThis.settle = resolve));',
          kinds: [/^promise of handler /],
        },
      ],
      4,
      2,
    ),
  )('is found: $what', async ({ kinds, ...planted }) => {
    expect(await leftBy(planted)).toEqual(always(...kinds));
  });

  it('is found when a module started it while loading', async () => {
    const timer = [expect.stringMatching(/^timer of \(anonymous\) .*index\.mjs:1:1$/)];
    expect(await leftBy({ module: 'setInterval(() => {}, 60_000);' })).toEqual({ loaded: timer, left: [timer, timer] });
  });

  it('is found for a request without a response, and its connection', async () => {
    await using server = await startServer(() => 'hang');
    const event = { url: server.origin, port: new URL(server.origin).port };
    const request = new RegExp(`^request GET ${server.origin}/$`);
    const module = "import { get } from 'node:http';";
    const byHttp = await leftBy({ event, module, body: 'get(event.url).on("error", () => {}); await wait(20);' });
    expect(byHttp).toEqual(always(/^TCPSocketWrap$/, request));
    const { left } = await leftBy({ event, body: 'fetch(event.url).catch(() => {}); await wait(20);' });
    for (const each of left) {
      expect(each).toEqual(expect.arrayContaining(['TCPSocketWrap', expect.stringMatching(request)]));
    }
  });

  it('is found for an open connection', async () => {
    await using server = await startServer(() => 'hang');
    const event = { port: Number(new URL(server.origin).port) };
    const module = "import { connect } from 'node:net';";
    const body = 'await new Promise((resolve) => connect(event.port, "127.0.0.1", resolve));';
    expect(await leftBy({ event, module, body })).toEqual(always(/^TCPSocketWrap$/));
  });
});
