import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../../lib/contract/contract.ts';
import { openProgress } from '../../../lib/tools/local/demo/progress.ts';
import { openRecorder } from '../../../lib/tools/local/demo/recorder.ts';
import { runSeed, seed } from '../../../lib/tools/local/demo/seed.ts';
import { seedPlans } from '../../../lib/tools/local/demo/seed-plans.ts';
import { waitAloud } from '../../../lib/tools/local/waits.ts';
import { api, tokenOf } from '../../support/api.ts';
import { type Answer, type Received, type Respond, startServer } from '../../support/http-server.ts';
import { type OwnStack, startOwnStack } from '../../support/own-stack.ts';

type Return = Output<'getReturn'>;

const listed = async ({ info }: OwnStack): Promise<readonly Return[]> => {
  const { body } = await api('standalone', info).get('/returns?limit=50');
  const { items } = body as unknown as Output<'listReturns'>;
  const read = items.map(async ({ returnId }) => (await api('standalone', info).get(`/returns/${returnId}`)).body);
  return (await Promise.all(read)) as unknown as readonly Return[];
};

const seedAt = async (url: string, { info }: OwnStack) => {
  const token = await tokenOf('returns-admin', info);
  return waitAloud({ what: 'the seed', remedy: 'start again' }, (wait) => seed(url, token, Date.now(), wait));
};

/** Runs the step of a start against another address of the service, and returns what it prints after a failure. */
const startSeedAt = async (url: string, stack: OwnStack): Promise<string> => {
  const lines: string[] = [];
  const progress = openProgress((text) => lines.push(text));
  const info = { ...stack.info, standalone: { ...stack.info.standalone, url } };
  const { dataDir } = stack;
  const demo = { stack: { ...stack, info }, recorder: openRecorder(), progress, waitFor: waitAloud, dataDir };
  expect(await runSeed({ ...demo, verbose: false }, await tokenOf('returns-admin', stack.info))).toBe(false);
  return lines.join('');
};

const forwardTo =
  (origin: string) =>
  async ({ method, path, headers, body }: Received): Promise<Answer> => {
    const { host: _, connection: __, 'content-length': ___, ...rest } = headers;
    const content = method === 'GET' ? {} : { body };
    const response = await fetch(`${origin}${path}`, { method, headers: rest as Record<string, string>, ...content });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  };

const unavailable: Answer = {
  status: 503,
  headers: { 'retry-after': '0' },
  body: JSON.stringify({ code: 'dependency_unavailable', detail: 'The store is busy.' }),
};
const broken: Answer = {
  status: 500,
  body: JSON.stringify({ code: 'internal_error', detail: `It broke. ${'x'.repeat(2_000)}` }),
};

/** The answer of a service whose policy has decided otherwise than the plan. */
const decided: Answer = {
  status: 409,
  body: JSON.stringify({ code: 'invalid_transition', detail: 'The return is approved.' }),
};

/** Other stages end in a status that has another name. */
const stagesLikeStatus: ReadonlySet<string> = new Set(
  'requested info_requested approved in_transit partially_received received completed rejected cancelled expired'.split(
    ' ',
  ),
);

describe('seed of a local stack', () => {
  let stack: OwnStack;
  beforeAll(async () => {
    stack = await startOwnStack({ modes: ['standalone'] });
  });
  afterAll(() => stack.close());

  it('repeats 503 and lost answers, fails with one short line, and continues from what is there', async () => {
    const { url } = stack.info.standalone;
    const forward = forwardTo(url);
    let count = 0;
    /** Of ten requests, one gets 503, and another one is carried out without an answer. */
    const faulty: Respond = async (request) => {
      count += 1;
      if (count % 10 === 3) return unavailable;
      const answer = await forward(request);
      return count % 10 === 7 ? 'reset' : answer;
    };
    const deciding: Respond = (request) => (request.path.endsWith('/request-info') ? decided : forward(request));
    await using failing = await startServer((request) => {
      if (count >= 100) return broken;
      return request.path.endsWith('/request-info') ? decided : faulty(request);
    });
    const printed = await startSeedAt(failing.origin, stack);
    expect(printed).toMatch(
      /^ {2}The seed stopped: (GET|PATCH|POST|PUT) \/\S+ answered 500, internal_error: It broke\. x{1,200}…\n {2}The stack runs\. To continue the seed, start it again with --seed\.$/m,
    );
    const before = await listed(stack);
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(40);

    // It leaves the two returns about which it must not ask.
    await using policy = await startServer(deciding);
    const line = /^POST \/returns\/ret_\w+\/request-info answered 409, invalid_transition: .{1,201}$/;
    expect(await seedAt(policy.origin, stack)).toEqual({
      returns: 40,
      rejected: Array.from({ length: 2 }, () => expect.stringMatching(line) as string),
    });

    expect(await seedAt(url, stack)).toEqual({ returns: 40, rejected: [] });
    const after = await listed(stack);
    expect(after.map(({ returnId }) => returnId)).toEqual(
      expect.arrayContaining(before.map(({ returnId }) => returnId)),
    );
    const statuses = Object.fromEntries(after.map(({ order, status }) => [order.number, status]));
    expect(Object.keys(statuses).toSorted()).toEqual(seedPlans().map(({ number }) => number));
    const planned = seedPlans().filter(({ stage }) => stagesLikeStatus.has(stage));
    expect(planned.map(({ number }) => [number, statuses[number]])).toEqual(
      planned.map(({ number, stage }) => [number, stage]),
    );

    expect(await seedAt(url, stack)).toEqual({ returns: 40, rejected: [] });
    expect(await listed(stack)).toEqual(after);
  });
});
