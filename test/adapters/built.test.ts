import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errors } from '../../lib/contract/errors.ts';
import { defaultServiceAccess, parseServiceAccess } from '../../lib/runtime/service-access.ts';
import { readRecordings, recordingsFolder } from '../../lib/tools/conform/recording.ts';
import { type ReplayServer, startReplayServer } from '../../lib/tools/conform/replay-server.ts';
import { plant } from '../support/emitted/record.ts';
import { type AdapterDeployment, openAdapterDeployment } from '../support/lambda-runtime/adapter-deployment.ts';

/* The deployed zips of an adapter in AWS's runtime client, with the recorded service at the wire. */

const secret = 'secret-of-the-built-adapter';
const token = 'token-of-the-built-adapter';
const access = parseServiceAccess({ servicePath: '/', tokenPath: '/token' });

let server: ReplayServer;
let deployment: AdapterDeployment;

beforeAll(async () => {
  plant([secret, token]);
  server = await startReplayServer(access.ok ? access.value : defaultServiceAccess, token);
  deployment = await openAdapterDeployment({
    adapter: 'bol',
    serviceUrl: server.serviceUrl,
    authUrl: server.authUrl,
    client: { clientId: 'shop', clientSecret: secret },
  });
});

afterAll(async () => {
  await deployment.close();
  await server.close();
});

describe.each(['getReturn', 'listReturns', 'inspect'])('the built %s of bol', (name) => {
  it('answers recorded exchanges as recorded', async () => {
    const { cases } = (await readRecordings(recordingsFolder('bol'))).get(name) ?? { cases: [] };

    for (const recorded of cases) {
      const replay = server.replay(recorded.exchanges);
      const { status, body } = await deployment.call(name, recorded.input, { key: randomUUID() });

      const { title, answer, failure } = recorded;
      const code = failure?.code;
      expect({ title, status, ...(code === undefined ? { body } : { code: body['code'] }) }).toEqual({
        title,
        ...(code === undefined ? { status: 200, body: answer } : { status: errors[code], code }),
      });
      expect({ title, differences: replay.differences, left: replay.exchanges.length - replay.next }).toEqual({
        title,
        differences: [],
        left: 0,
      });
    }
    expect(cases.length).toBeGreaterThan(0);
  });
});

describe('the built inspect of bol', () => {
  it('rejects a dry run before anything is sent', async () => {
    const recorded = (await readRecordings(recordingsFolder('bol'))).get('inspect')?.cases[0];
    if (recorded === undefined) throw new Error('no case');
    const replay = server.replay([]);

    const rehearsal = { key: randomUUID(), query: { dryRun: 'true' } };
    expect(await deployment.call('inspect', recorded.input, rehearsal)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect(replay.sent).toEqual([]);
  });
});
