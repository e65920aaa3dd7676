import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../../lib/shops/platforms/commercetools/notification.ts';
import { receiver } from '../../../lib/shops/platforms/commercetools/platform.ts';
import type { JsonObject } from '../../../lib/runtime/json.ts';

const projectKey = 'nl-unittests-dev';
const id = '36a66613-90cf-4456-9ec7-17df396d8aaa';

/** In the platform's own format. */
const message: JsonObject = {
  notificationType: 'Message',
  projectKey,
  id: '32ceddb2-3899-4115-9315-0be73d7d86cd',
  version: 1,
  sequenceNumber: 2,
  resource: { typeId: 'order', id },
  resourceVersion: 3,
  type: 'ReturnInfoAdded',
  createdAt: '2026-11-08T11:00:45.943Z',
  returnInfo: { items: [] },
};
const cloudEvent = (data: JsonObject) => ({
  id: '32ceddb2-3899-4115-9315-0be73d7d86cd',
  source: `/${projectKey}/orders`,
  specversion: '1.0',
  type: 'com.commercetools.order.message.ReturnInfoAdded',
  subject: id,
  sequence: '2',
  sequencetype: 'Integer',
  data,
});
const bridged = (detail: unknown, source = `aws.partner/commercetools.com/${projectKey}/returns`): JsonObject => ({
  version: '0',
  id: '7bf73129-1428-4cd3-a780-95db273d1602',
  'detail-type': 'ReturnInfoAdded',
  source,
  account: '000000000000',
  time: '2026-11-08T11:00:46Z',
  region: 'eu-central-1',
  resources: [],
  detail,
});
const trial: JsonObject = {
  notificationType: 'ResourceCreated',
  projectKey,
  resource: { typeId: 'subscription', id },
  version: 1,
  modifiedAt: '2026-11-08T11:00:45.943Z',
};
const { type: _type, returnInfo: _info, ...bare } = message;
const cut = { ...bare, payloadNotIncluded: { reason: 'Payload too large', payloadType: 'ReturnInfoSet' } };

const delivery = {
  source: projectKey,
  topic: 'ReturnInfoAdded',
  deliveryId: '32ceddb2-3899-4115-9315-0be73d7d86cd',
  triggeredAt: '2026-11-08T11:00:45.943Z',
};
const read = (value: unknown) => receiver.readMessage?.(JSON.stringify(value));

describe('commercetools notification', () => {
  test('is read in both formats, byte for byte from a queue and by content from a bus', () => {
    const text = `  ${JSON.stringify(message)}\n`;
    expect(receiver.readMessage?.(text)).toEqual({ delivery, body: Buffer.from(text) });
    expect(read(cloudEvent(message))?.delivery).toEqual(delivery);
    expect(receiver.readEvent?.(bridged(message))).toEqual({
      delivery,
      body: Buffer.from(JSON.stringify(message)),
    });
    expect(receiver.readEvent?.(bridged(cloudEvent(message)))?.delivery).toEqual(delivery);
  });

  test('of a change has an id of the resource and its version', () => {
    const change = { ...trial, notificationType: 'ResourceUpdated', resource: { typeId: 'order', id }, version: 8 };
    expect(read(change)?.delivery).toMatchObject({ topic: 'ResourceUpdated', deliveryId: `order:${id}:8` });
    const { version: _, ...unversioned } = change;
    expect(read(unversioned)?.delivery.deliveryId).toBe(read({ ...unversioned })?.delivery.deliveryId);
  });

  test.each([
    ['of another partner', bridged(message, 'aws.partner/shopify.com/1/x')],
    ['of a source that only resembles the partner’s', bridged(message, 'com.aws.partner/commercetools.com/x')],
    ['without a detail', bridged(undefined)],
    ['without a project', bridged({ ...message, projectKey: undefined })],
    ['of a project whose key contains a path', bridged({ ...message, projectKey: '../other' })],
    ['with an id that contains a predicate', bridged({ ...message, resource: { typeId: 'order', id: '"' } })],
  ])('%s is ignored', (_, event) => {
    expect(receiver.readEvent?.(event)).toBeUndefined();
  });

  test('never throws for any content', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.jsonValue(), (text, detail) => {
        receiver.readMessage?.(text);
        receiver.readEvent?.(bridged(detail));
        expect(['ignored', 'parked', 'order', 'payment']).toContain(translate('ReturnInfoSet', detail).kind);
      }),
    );
  });
});

describe('commercetools translate', () => {
  test.each([
    ['ReturnInfoAdded', 'order'],
    ['ReturnInfoSet', 'order'],
    ['OrderReturnShipmentStateChanged', 'order'],
    ['OrderPaymentStateChanged', 'order'],
    ['ResourceUpdated', 'order'],
    ['PaymentTransactionAdded', 'payment'],
    ['PaymentTransactionStateChanged', 'payment'],
    ['ResourceUpdated', 'payment'],
  ])('reads that %s names the %s', (topic, typeId) => {
    const body = { ...message, type: topic, resource: { typeId, id } };
    expect(translate(topic, body)).toEqual({ kind: typeId, id });
    expect(translate(topic, cloudEvent(body))).toEqual({ kind: typeId, id });
  });

  test.each([
    ['OrderCreated', message, 'topic_not_handled'],
    ['PaymentTransactionAdded', message, 'topic_not_handled'],
    ['ReturnInfoAdded', { resource: { typeId: 'constructor', id } }, 'topic_not_handled'],
    ['ResourceCreated', trial, 'test_notification'],
  ])('ignores or parks %s: %j', (topic, body, reason) => {
    expect(translate(topic, body)).toEqual({ kind: 'ignored', reason });
  });

  test.each([
    [null, ''],
    [[], ''],
    [{ specversion: '1.0', data: 'x' }, ''],
    [{}, '/resource'],
    [{ resource: { typeId: 'order', id: 1 } }, '/resource'],
    [{ resource: { typeId: 'order', id: 'x/../y' } }, '/resource'],
  ])('parks %j', (body, path) => {
    expect(translate('ReturnInfoAdded', body)).toEqual({ kind: 'parked', reason: 'payload_unexpected', path });
  });
});

test('commercetools-php-sdk#413: reads a message without a payload by its ids', () => {
  const parsed = read(cut);
  expect(parsed?.delivery.topic).toBe('ReturnInfoSet');
  expect(translate('ReturnInfoSet', JSON.parse(String(parsed?.body)))).toEqual({ kind: 'order', id });
});
