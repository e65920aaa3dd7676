import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchanged, parcelId, ref, refund, returnId } from '../../lib/contract/example-story.ts';
import { contract, type OperationName } from '../../lib/contract/contract.ts';
import { startStory } from '../support/examples.ts';
import { type OwnStack, startOwnStack } from '../support/own-stack.ts';

const parameters = {
  ...ref,
  returnId,
  parcelId,
  exchangeId: exchanged.exchangeId,
  refundId: refund.refundId,
  externalId: 'refund-1',
  code: 'fit.runs_small',
  policyId: 'pol_01KAJ3S7W4E6R8T0Y2V4X6Z8B0',
  version: '1',
  from: '1',
  to: '2',
  endpointId: 'whk_01KAJ3R5C7E9G1J3M5P7R9T1V3',
};

/** The operations that come before an operation of a return, with their own examples. */
const requested: readonly OperationName[] = ['registerOrder', 'createReturn'];
const approved: readonly OperationName[] = [...requested, 'approve'];
const sent: readonly OperationName[] = [...approved, 'addParcel'];
const moving: readonly OperationName[] = [...sent, 'updateParcel'];
const received: readonly OperationName[] = [...moving, 'receive'];
const inspected: readonly OperationName[] = [...received, 'inspect'];
const quoted: readonly OperationName[] = [...inspected, 'quoteReturn'];

const stories: readonly (readonly [OperationName, readonly OperationName[]])[] = [
  ['registerOrder', []],
  ['getOrder', ['registerOrder']],
  ['getReturnable', requested],
  ['recordRefund', approved],
  ['createReturn', ['registerOrder']],
  ['getReturn', requested],
  ['listReturns', requested],
  ['updateReturn', requested],
  ['getHistory', [...requested, 'reject']],
  ['verifyHistory', approved],
  ['quoteReturn', inspected],
  ['addAttachment', requested],
  ['addNote', requested],
  ['approve', requested],
  ['reject', requested],
  ['requestInfo', requested],
  ['provideInfo', [...requested, 'requestInfo']],
  ['cancel', approved],
  ['expire', approved],
  ['reopen', [...requested, 'reject']],
  ['addParcel', approved],
  ['updateParcel', sent],
  ['receive', moving],
  ['closeReceipt', approved],
  ['correct', received],
  ['grant', [...approved, 'closeReceipt']],
  ['inspect', received],
  ['complete', inspected],
  ['exchange', approved],
  ['exchangeResult', [...approved, 'exchange']],
  ['refund', quoted],
  ['recordRefundResult', [...quoted, 'refund']],
  ['listReasons', ['putReason']],
  ['putReason', []],
  ['shadowDraft', ['createPolicy']],
  ['updateWebhookEndpoint', ['createWebhookEndpoint']],
  ['health', []],
  ['openapi', []],
  ['asyncapi', []],
];

/** Stories in which each operation follows the one before. */
const sequences: readonly (readonly [string, readonly OperationName[]])[] = [
  [
    'a policy',
    [
      'createPolicy',
      'publish',
      'getPolicy',
      'listPolicies',
      'listVersions',
      'getVersion',
      'saveDraft',
      'diffVersions',
      'archive',
    ],
  ],
  [
    'a webhook endpoint',
    [
      'createWebhookEndpoint',
      'getWebhookEndpoint',
      'listWebhookEndpoints',
      'rotateWebhookSecret',
      'deleteWebhookEndpoint',
    ],
  ],
  ['an export', ['createExport']],
  ['an erasure', ['eraseCustomer']],
];

/** Operations whose examples need a time, a queue or money that no story here has. */
const withoutStory: readonly OperationName[] = [
  'backtestDraft',
  'cancelJob',
  'getAnalytics',
  'getDecision',
  'getInboxDelivery',
  'getJob',
  'getSummary',
  'getWebhookDelivery',
  'lintDraft',
  'listEvents',
  'listInboxDeliveries',
  'listJobs',
  'listWebhookDeliveries',
  'recordRecovery',
  'redeliverWebhook',
  'redeliverWebhooks',
  'redrive',
  'remindRefund',
  'replay',
  'replayRange',
  'testDraft',
  'testWebhookEndpoint',
  'waiveFee',
  'writeOffRecovery',
];

describe('the examples of the documents', () => {
  let stack: OwnStack;
  beforeAll(async () => {
    stack = await startOwnStack({ modes: ['standalone'] });
  });
  afterAll(() => stack.close());

  it('are sent for every operation that is not listed as an exception', () => {
    const sent = [...stories.map(([name]) => name), ...sequences.flatMap(([, names]) => names)];
    expect([...new Set([...sent, ...withoutStory])].toSorted()).toEqual(Object.keys(contract).toSorted());
    expect(withoutStory.filter((name) => sent.includes(name))).toEqual([]);
  });

  it.each(sequences)('show the life of %s', async (_, names) => {
    const story = startStory(stack.info);
    const found: string[] = [];
    for (const name of names) found.push(...(await story.play(name, parameters)));
    expect(found).toEqual([]);
  });

  it.each(stories)('show the response of %s', async (name, before) => {
    const story = startStory(stack.info);
    for (const earlier of before) {
      const found = await story.play(earlier, parameters);
      expect(found.filter((one) => one.startsWith(`${earlier}: `))).toEqual([]);
    }
    expect(await story.play(name, parameters)).toEqual([]);
  });
});
