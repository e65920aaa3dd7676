import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessLine, openAccessLog } from '../../../lib/tools/local/emulators/gateway/access-log.ts';
import { api } from '../../support/api.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { packaged } from '../../support/roles.ts';
import { registerOrder, returnOf } from '../../support/scenario.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ streams: true });
});
afterAll(async () => stack.close());

type Line = Readonly<Record<string, unknown>>;

/** Returns the JSON lines of a log. */
const linesIn = async (file: string): Promise<Line[]> => {
  const text = await readFile(join(stack.dataDir, 'logs', file), 'utf8');
  return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
};

const withTrace = async (file: string, traceId: unknown) =>
  (await linesIn(file)).filter((line) => line['traceId'] === traceId);

const digits = (requestId: unknown): string => String(requestId).replaceAll('-', '');
const answered = expect.objectContaining({ message: 'request answered', operation: 'createReturn', status: 201 });

describe('a request through both modes', () => {
  it('is followed by one id over access log, function, service and event', async () => {
    const caller = api('connected', stack.info);
    const order = await registerOrder(caller);
    const created = await caller.post('/returns', returnOf(order));
    expect(created.status).toBe(201);

    const requestId = created.headers.get('apigw-requestid');
    const access = (await linesIn('connected-access.log')).find((line) => line['requestId'] === requestId);
    expect(access).toMatchObject({
      routeKey: 'POST /v1/returns',
      status: '201',
      client: 'returns-admin',
      error: '-',
      lambdaRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ms: expect.stringMatching(/^\d+$/),
    });
    const traceId = digits(access?.['lambdaRequestId']);

    const calls = await withTrace('connected.log', traceId);
    expect(calls).toContainEqual(answered);
    expect(new Set(calls.map((line) => line['lambdaRequestId']))).toEqual(new Set([access?.['lambdaRequestId']]));
    expect(calls.every((line) => line['coldStart'] === true)).toBe(true);

    const service = await withTrace('standalone.log', traceId);
    expect(service).toContainEqual(answered);
    const [{ lambdaRequestId } = { lambdaRequestId: undefined }] = service;
    const serviceAccess = (await linesIn('standalone-access.log')).find(
      (line) => line['lambdaRequestId'] === lambdaRequestId,
    );
    expect(serviceAccess).toMatchObject({ routeKey: 'POST /v1/returns', status: '201' });

    const eventOf = async () => {
      const taken = await fetch(`${stack.info.aws.eventBridge}/events?after=0`);
      const { events } = (await taken.json()) as { events: { event: { detail: Line } }[] };
      return events.map(({ event }) => event.detail).find(({ subject }) => subject === created.body.returnId);
    };
    await vi.waitFor(async () => expect(await eventOf()).toBeDefined(), { timeout: 120_000, interval: 200 });
    expect(await eventOf()).toMatchObject({ correlationid: traceId, causationid: serviceAccess?.['requestId'] });
  });

  it('has its error in the access log, and no invocation, when the gateway rejects it', async () => {
    const rejected = await api('standalone', stack.info).get('/reasons', { token: null });
    const requestId = rejected.headers.get('apigw-requestid');
    const access = (await linesIn('standalone-access.log')).find((line) => line['requestId'] === requestId);
    expect(access).toMatchObject({ status: '401', error: 'Unauthorized', lambdaRequestId: '-', client: '-' });
    expect(access?.['authorizer']).not.toBe('-');
  });
});

describe('access log', () => {
  it('escapes values, and has a hyphen for an unknown one', () => {
    const format = '{"a":"$context.authorizer.claims.https://x/client","b":"$context.constructor"}';
    const line = accessLine(format, { 'authorizer.claims.https://x/client': 'a"b\n' });
    expect(JSON.parse(line)).toEqual({ a: 'a"b\n', b: '-' });
  });

  it('is required of every API of the template', async () => {
    const deployment = await packaged('standalone');
    expect(() => openAccessLog(deployment, 'None', '/dev/null')).toThrow('/Resources/None: no stage');
  });
});
