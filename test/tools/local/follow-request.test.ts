import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Returns the JSON lines of a log that have this field. */
const linesWith = async (file: string, field: Line): Promise<readonly Line[]> => {
  const text = await readFile(join(stack.dataDir, 'logs', file), 'utf8');
  const lines = text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
  return lines.filter((line) => Object.entries(field).every(([name, value]) => line[name] === value));
};

const answered = expect.objectContaining({ message: 'request answered', operation: 'createReturn', status: 201 });

describe('a request through both modes', () => {
  it('is followed by one id over access log, function, service and event', async () => {
    const caller = api('connected', stack.info);
    const created = await caller.post('/returns', returnOf(await registerOrder(caller)));
    const requestId = created.headers.get('apigw-requestid');
    const [access] = await linesWith('connected-access.log', { requestId });
    expect(access).toMatchObject({
      routeKey: 'POST /v1/returns',
      status: '201',
      client: 'returns-admin',
      error: '-',
      lambdaRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ms: expect.stringMatching(/^\d+$/),
    });
    const { lambdaRequestId } = access ?? {};
    const traceId = String(lambdaRequestId).replaceAll('-', '');
    const calls = await linesWith('connected.log', { traceId });
    expect(calls).toContainEqual(answered);
    expect(calls.every((line) => line['lambdaRequestId'] === lambdaRequestId && line['coldStart'] === true)).toBe(true);

    const service = await linesWith('standalone.log', { traceId });
    expect(service).toContainEqual(answered);
    const later = { lambdaRequestId: service[0]?.['lambdaRequestId'] };
    const [serviceAccess] = await linesWith('standalone-access.log', later);
    expect(serviceAccess).toMatchObject({ routeKey: 'POST /v1/returns', status: '201' });

    const eventOf = async () => {
      const taken = await fetch(`${stack.info.aws.eventBridge}/events?after=0`);
      const { events } = (await taken.json()) as { events: { event: { detail: Line } }[] };
      return events.map(({ event }) => event.detail).find(({ subject }) => subject === created.body.returnId);
    };
    const ids = { correlationid: traceId, causationid: serviceAccess?.['requestId'] };
    await expect.poll(eventOf, { timeout: 120_000, interval: 200 }).toMatchObject(ids);
  });

  it('has its error in the access log, and no invocation, when the gateway rejects it', async () => {
    const rejected = await api('standalone', stack.info).get('/reasons', { token: null });
    const requestId = rejected.headers.get('apigw-requestid');
    const [access] = await linesWith('standalone-access.log', { requestId });
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
