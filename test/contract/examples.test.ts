import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachmentId, exchanged, parcelId, ref, refund, returnId } from '../../lib/contract/example-story.ts';
import type { OperationName } from '../../lib/contract/contract.ts';
import { startStory } from '../support/examples.ts';
import { type OwnStack, startOwnStack } from '../support/own-stack.ts';

const parameters = {
  ...ref,
  returnId,
  parcelId,
  attachmentId,
  exchangeId: exchanged.exchangeId,
  refundId: refund.refundId,
  externalId: 'refund-1',
  code: 'fit.runs_small',
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
  ['health', []],
];

describe('the examples of the documents', () => {
  let stack: OwnStack;
  beforeAll(async () => {
    stack = await startOwnStack({ modes: ['standalone'] });
  });
  afterAll(() => stack.close());

  it.each(stories)('show what %s answers', async (name, before) => {
    const story = startStory(stack.info);
    for (const earlier of before) {
      const found = await story.play(earlier, parameters);
      expect(found.filter((one) => one.startsWith(`${earlier}: `))).toEqual([]);
    }
    expect(await story.play(name, parameters)).toEqual([]);
  });
});
