import { describe, expect, it } from 'vitest';
import { startBent, type Bend, type Plain } from '../support/generated/bent.ts';
import { contractDocument } from '../support/generated/document.ts';
import { explore } from '../support/generated/explore.ts';
import { openSubject } from '../support/generated/subject.ts';
import { openWorld } from '../support/generated/world.ts';
import { stack } from '../support/stack.ts';
import { runs, sample } from '../support/samples.ts';

const document = contractDocument();
const world = openWorld();
const seed = 7;

type Body = Record<string, unknown>;

const bodyOf = ({ body }: Plain) => JSON.parse(body) as Body;
const withBody = (answer: Plain, body: Body): Plain => ({ ...answer, body: JSON.stringify(body) });
const withHeaders = (answer: Plain, headers: Record<string, string>): Plain => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});
const without = (answer: Plain, name: string): Plain => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([one]) => one !== name)),
});
const is = (answer: Plain, code: string) => answer.body.includes(`"code":"${code}"`);
const on =
  (applies: (answer: Plain, body: string) => boolean, bend: (answer: Plain) => Plain): Bend =>
  (answer, { body }) =>
    applies(answer, body) ? bend(answer) : answer;
const succeeds = ({ status }: Plain) => status < 300;
const isProblem = ({ headers }: Plain) => headers['content-type'] === 'application/problem+json';

const problem = (status: number, code: string): Plain => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  body: JSON.stringify({
    type: `/docs/errors/${code}`,
    title: 'No',
    status,
    detail: 'No.',
    code,
    traceId: '0',
    errors: [{ path: '/lines', code: 'no', message: 'no' }],
  }),
});

const crash: Plain = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: '{"message":"Internal Server Error"}',
};

/** Sends requests to a standalone mode with manipulated responses, and returns the findings. */
const explored = async (
  operationId: string,
  bend: Bend,
  { shrinks = 10, known = world, tries = 200 } = {},
): Promise<string> => {
  const operation = document.operations.find(({ id }) => id === operationId);
  if (operation === undefined) throw new Error(`there is no ${operationId}`);
  await using server = await startBent(stack().standalone.url, bend);
  await using subject = openSubject('standalone', document, known, server.origin);
  try {
    await explore(subject, operation, { runs: tries, seed, shrinks });
    return 'nothing';
  } catch (error) {
    return String(error);
  }
};

describe('generated requests', () => {
  it.each<[string, string, Bend, RegExp]>(
    sample<[string, string, Bend, RegExp]>(
      [
        [
          'a status that is not documented',
          'getReturn',
          on(succeeds, (answer) => ({ ...answer, status: 203 })),
          /status 203 is not documented/,
        ],
        ['a failure', 'getOrder', on(succeeds, () => crash), /failed with 500/],
        [
          'a permanent failure',
          'getOrder',
          on(succeeds, () => problem(503, 'dependency_unavailable')),
          /failed with 503/,
        ],
        [
          'a field that is not documented',
          'getReturn',
          on(succeeds, (answer) => withBody(answer, { ...bodyOf(answer), secret: 1 })),
          /must NOT have additional properties.*secret/,
        ],
        [
          'a field that is missing',
          'getReturnable',
          on(succeeds, (answer) => withBody(answer, { ...bodyOf(answer), lines: undefined })),
          /must have required property 'lines'/,
        ],
        [
          'a nested field of another type',
          'getHistory',
          on(succeeds, (answer) => ({ ...answer, body: answer.body.replaceAll('"sequence":1', '"sequence":"1"') })),
          /items\/0\/sequence must be integer/,
        ],
        [
          'another content type',
          'getOrder',
          on(succeeds, (answer) => withHeaders(answer, { 'content-type': 'text/html' })),
          /content type text\/html is not documented for 200/,
        ],
        ['no JSON', 'getOrder', on(succeeds, (answer) => ({ ...answer, body: '<html>' })), /body {2}must be object/],
        ['no ETag', 'getOrder', on(succeeds, (answer) => without(answer, 'etag')), /header ETag is missing/],
        [
          'the ETag of another version',
          'getReturn',
          on(succeeds, (answer) => withHeaders(answer, { etag: '"77"' })),
          /ETag "77" of version/,
        ],
        [
          'a 201 without its Location',
          'createReturn',
          on(succeeds, (answer) => without(answer, 'location')),
          /header Location is missing/,
        ],
        [
          'an invalid Location',
          'createReturn',
          on(succeeds, (answer) => withHeaders(answer, { location: '/v1/elsewhere' })),
          /is no path of the document/,
        ],
        [
          'a response that caches may store',
          'getOrder',
          on(succeeds, (answer) => without(answer, 'cache-control')),
          /header Cache-Control is missing/,
        ],
        [
          'a problem that caches may store',
          'getOrder',
          on(isProblem, (answer) => without(answer, 'cache-control')),
          /without Cache-Control/,
        ],
        [
          'a problem of another status',
          'getOrder',
          on(isProblem, (answer) => withBody(answer, { ...bodyOf(answer), status: 418 })),
          /problem of status 418/,
        ],
        [
          'a code that is not documented for its status',
          'getReturn',
          on(
            (answer) => is(answer, 'return_not_found'),
            (answer) => withBody(answer, { ...bodyOf(answer), code: 'order_not_found' }),
          ),
          /order_not_found is not documented for 404/,
        ],
        [
          'a stack trace',
          'getReturn',
          on(isProblem, (answer) =>
            withBody(answer, { ...bodyOf(answer), detail: 'Error\n    at run (/var/task/index.mjs:1:2)' }),
          ),
          /a stack trace/,
        ],
        [
          'personal text in the response to a command',
          'createReturn',
          (answer, { body }) =>
            answer.status === 201 && body.includes('marker-')
              ? withBody(answer, { ...bodyOf(answer), tags: ['marker-tight'] })
              : answer,
          /what a person wrote comes back/,
        ],
        [
          'personal text in a problem',
          'createReturn',
          on(isProblem, (answer) => withBody(answer, { ...bodyOf(answer), detail: 'marker-tight is no reason' })),
          /what a person wrote comes back/,
        ],
        [
          'a 404 for an existing resource',
          'getReturn',
          on(succeeds, () => problem(404, 'return_not_found')),
          /404 return_not_found, though it is there/,
        ],
        [
          'a failure for a documented request',
          'createReturn',
          on(succeeds, () => problem(400, 'invalid_request')),
          /400 invalid_request, though it is as documented/,
        ],
        [
          'a failure for an allowed read',
          'getReturn',
          on(succeeds, () => ({ ...crash, status: 403 })),
          /403 gateway, though it is as documented/,
        ],
        [
          'one failure instead of another',
          'getReturn',
          on(
            (answer) => is(answer, 'invalid_request'),
            () => problem(404, 'return_not_found'),
          ),
          /404 return_not_found instead of 400 invalid_request/,
        ],
        [
          'a command that runs twice under one key',
          'createReturn',
          on(succeeds, (answer) => without(answer, 'idempotency-replayed')),
          /done a second time under the same key/,
        ],
      ],
      9,
    ),
  )('find %s', async (_, operationId, bend, words) => {
    expect(await explored(operationId, bend)).toMatch(words);
  });

  it('find an accepted request that is not documented', async () => {
    let accepted: Plain | undefined;
    const bend: Bend = (answer) => {
      if (answer.status === 201) accepted = answer;
      return is(answer, 'invalid_request') && accepted !== undefined ? accepted : answer;
    };
    // The model would learn of returns from dry runs, which do not exist.
    const found = await explored('createReturn', bend, { known: openWorld() });
    expect(found).toMatch(/accepted with 201, though it is not as documented/);
  });

  it('find nothing when the service is correct', async () => {
    expect(await explored('approve', (answer) => answer, { tries: runs(200) })).toBe('nothing');
  });

  it('report the smallest request that shows the failure', async () => {
    const found = await explored('createReturn', (answer, { body }) => (body.includes('"tags":["') ? crash : answer), {
      shrinks: 500,
    });
    expect(found).toMatch(/failed with 500/);
    const [, text = ''] = /Counterexample:[^]*?\n\n(\{.*\})\n\]/.exec(found) ?? [];
    const { tags, ...rest } = JSON.parse(text) as { tags: string[] };
    expect(tags).toHaveLength(1);
    expect(Object.keys(rest).toSorted()).toEqual(['lines', 'order']);
    expect(found).toContain(`seed: ${seed}`);
  });
});
