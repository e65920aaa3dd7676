import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import { startEventBridge } from '../../lib/local/emulators/event-bridge.ts';
import { type StoredEvent, openBuses } from '../../lib/local/emulators/event-buses.ts';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import { startGuard } from '../../lib/local/emulators/guard.ts';

const buses = (Properties: object = {}) =>
  deploy(
    { Resources: { Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'returns', ...Properties } } } },
    { mode: 'standalone', parameters: {}, sqs: '' },
  ).ofType('AWS::Events::EventBus');

const start = async () => {
  const events: StoredEvent[] = [];
  const bridge = await startEventBridge(0, (event) => events.push(event));
  bridge.createBuses(buses());
  const clients: EventBridgeClient[] = [];
  const put = async (Entries: PutEventsRequestEntry[], endpoint = bridge.url, accessKeyId = 'local') => {
    const credentials = { ...clientSettings.credentials, accessKeyId };
    const client = new EventBridgeClient({ ...clientSettings, endpoint, credentials });
    clients.push(client);
    return client.send(new PutEventsCommand({ Entries }));
  };
  onTestFinished(async () => {
    for (const client of clients) client.destroy();
    await bridge.close();
  });
  const look = async (query = '') => {
    const response = await fetch(`${bridge.url}/events${query}`);
    return { status: response.status, body: (await response.json()) as { events: StoredEvent[] } };
  };
  return { url: bridge.url, put, look, events };
};

const entry = {
  Source: 'urn:returns',
  DetailType: 'return.approved',
  Detail: '{"id":"ret_1"}',
  EventBusName: 'returns',
};

describe('EventBridge emulator', () => {
  test('accepts an event, reports it, and lists it', async () => {
    const { put, look, events } = await start();
    const Time = new Date('2026-11-22T12:00:00Z');
    const { FailedEntryCount, Entries = [] } = await put([
      { ...entry, Time, Resources: ['ret_1'] },
      { ...entry, EventBusName: 'arn:aws:events:eu-central-1:000000000000:event-bus/returns' },
    ]);
    expect(FailedEntryCount).toBe(0);
    const [first, second] = (await look()).body.events;
    expect(first).toEqual({
      number: 1,
      bus: 'returns',
      event: {
        version: '0',
        id: Entries[0]?.EventId,
        'detail-type': 'return.approved',
        source: 'urn:returns',
        account: '000000000000',
        time: '2026-11-22T12:00:00Z',
        region: 'eu-central-1',
        resources: ['ret_1'],
        detail: { id: 'ret_1' },
      },
    });
    expect((await look('?after=1')).body.events).toEqual([second]);
    expect(events).toEqual([first, second]);
    expect((await look('?after=-1')).status).toBe(400);
  });

  test('refuses an invalid entry, and accepts the others', async () => {
    const { put, look } = await start();
    const { Source, DetailType, Detail, ...others } = entry;
    const { FailedEntryCount, Entries } = await put([
      { ...others, DetailType, Detail },
      { ...others, Source, Detail },
      { ...others, Source, DetailType },
      { ...entry, Detail: '[1]' },
      { ...entry, Detail: '{' },
      { ...entry, Source: 'aws.s3' },
      { ...entry, DetailType: 'x'.repeat(129) },
      { ...entry, EventBusName: 'other' },
      entry,
    ]);
    expect(FailedEntryCount).toBe(8);
    expect(Entries?.map(({ ErrorCode, ErrorMessage, EventId }) => EventId ?? [ErrorCode, ErrorMessage])).toEqual([
      ['InvalidArgument', 'Parameter Source is not valid. Reason: Source is a required argument.'],
      ['InvalidArgument', 'Parameter DetailType is not valid. Reason: DetailType is a required argument.'],
      ['InvalidArgument', 'Parameter Detail is not valid. Reason: Detail is a required argument.'],
      ['MalformedDetail', 'Detail is malformed.'],
      ['MalformedDetail', 'Detail is malformed.'],
      ['NotAuthorizedForSourceException', 'Not authorized for the source.'],
      ['InvalidArgument', 'Parameter DetailType is not valid. Reason: DetailType is longer than 128 characters.'],
      ['InvalidArgument', 'Parameter EventBusName is not valid. Reason: Event bus other does not exist.'],
      expect.any(String),
    ]);
    expect((await look()).body.events).toHaveLength(1);
  });

  test('refuses requests that are too large as a whole', async () => {
    const { put, look } = await start();
    await expect(put([])).rejects.toMatchObject({ name: 'ValidationException' });
    await expect(put(Array.from({ length: 11 }, () => entry))).rejects.toMatchObject({ name: 'ValidationException' });
    const large = (length: number) => ({ ...entry, Detail: JSON.stringify({ text: 'ä'.repeat(length) }) });
    await expect(put([large(66_000), large(66_000)])).rejects.toThrow('Total size of the entries');
    expect((await put([large(130_000)])).FailedEntryCount).toBe(0);
    expect((await look()).body.events).toHaveLength(1);
  });

  test('supports only PutEvents', async () => {
    const { url } = await start();
    const response = await fetch(url, { method: 'POST', headers: { 'x-amz-target': 'AWSEvents.PutRule' }, body: '{}' });
    expect([response.status, await response.json()]).toMatchObject([400, { __type: 'UnknownOperationException' }]);
  });

  test('stores the last ten thousand events', () => {
    const { put, after } = openBuses();
    for (let count = 0; count < 10_003; count += 1) put({ ...entry, EventBusName: 'default' }, 0);
    const stored = after(0);
    expect([stored.length, stored[0]?.number, after(10_000).length]).toEqual([10_000, 4, 3]);
  });

  test('refuses an unknown property of a bus', () => {
    expect(() => openBuses().create(buses({ EventSourceName: 'aws.partner/a' }))).toThrow(
      '/Resources/Bus/Properties/EventSourceName: unknown to the local stack',
    );
  });

  test('lets a function put events only where its role permits', async () => {
    const { url, put, events } = await start();
    const resource = 'arn:aws:events:eu-central-1:000000000000:event-bus/returns';
    const identity = {
      function: 'publish',
      arn: 'arn:publish',
      permissions: [{ action: 'events:PutEvents', resource }],
    };
    const guard = await startGuard({
      upstream: { dynamodb: '', sqs: '', secretsManager: '', eventBridge: url },
      identities: new Map([['publish', identity]]),
      partitionKeys: new Map(),
    });
    onTestFinished(guard.close);
    // Refusals are written to the log of their mode.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await put([entry], guard.url, 'publish')).FailedEntryCount).toBe(0);
    await expect(put([entry, { ...entry, EventBusName: 'default' }], guard.url, 'publish')).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    expect(events).toHaveLength(1);
  });
});
