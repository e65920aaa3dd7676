import { describe, expect, test } from 'vitest';
import { readEventBridgeDelivery } from '../../../lib/shops/platforms/adobe/platform.ts';

const envelope = {
  specversion: '1.0',
  id: '8a8b0d2c-5b1d-4c37-9f2e-0f3a0d3c7a11',
  type: 'com.adobe.commerce.observer.rma_save_commit_after',
  time: '2026-11-20T08:00:00Z',
  event_id: '2f1d8f1e-3a3c-4f4c-8f11-7b6f7d1b0c55',
  recipient_client_id: 'client-of-ours',
  data: { key: 'k', value: { entity_id: '7' } },
};
const source = 'aws.partner/adobe.com/org/registration';

describe('Adobe Commerce readEventBridgeDelivery', () => {
  test.each([
    ['the envelope itself', envelope],
    ['the envelope in an entry of the journal', { position: 'p', event: envelope }],
  ])('reads an event whose detail is %s', (_, detail) => {
    const awsDelivery = readEventBridgeDelivery({ source, detail });
    expect(awsDelivery?.delivery).toEqual({
      source: 'client-of-ours',
      topic: envelope.type,
      deliveryId: envelope.event_id,
      isIdSigned: true,
      eventId: envelope.id,
      triggeredAt: envelope.time,
    });
    expect(JSON.parse(awsDelivery?.body.toString() ?? '')).toEqual(envelope);
  });

  test.each([
    ['another partner', { source: 'aws.partner/shopify.com/1/x', detail: envelope }],
    ['a source that any account can use', { source: 'adobe.com/org', detail: envelope }],
    ['no detail', { source }],
    ['no recipient', { source, detail: { ...envelope, recipient_client_id: undefined } }],
    ['two recipients', { source, detail: { ...envelope, recipientclientid: 'another' } }],
    ['no type', { source, detail: { ...envelope, type: undefined } }],
    ['no id', { source, detail: { ...envelope, event_id: 7 } }],
  ])('returns nothing for an event with %s', (_, event) => {
    expect(readEventBridgeDelivery(event)).toBeUndefined();
  });
});
