import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract, type OperationName } from '../../lib/contract/contract.ts';
import { event } from '../../lib/contract/events/examples.ts';
import { at, exchanged, parcelId, ref, refund, returnId } from '../../lib/contract/example-story.ts';
import { bulk, erased, exported, job } from '../../lib/contract/jobs/examples.ts';
import { policyId } from '../../lib/contract/policies/examples.ts';
import {
  bindBacktestStart,
  bindPeriod,
  countReturns,
  deadLetters,
  decidedReturn,
  eventDelivered,
  exampleIds,
  inbound,
  jobEnded,
  lastCursor,
  otherDecidedReturn,
  ownDeclaration,
  parkedDeliveries,
  parkedRefund,
  pastDeliveries,
  policyWithFailedCase,
  policyWithFee,
  policyWithUnknownReason,
  publishEvents,
  readLastCursor,
  shadowedApprovals,
  type Step,
  waitingBacktest,
  waitingBulk,
  webhookProcessed,
} from '../support/example-steps.ts';
import { sample } from '../support/samples.ts';
import { putUser } from '../support/known-user.ts';
import { type Player, startStory } from '../support/examples.ts';
import { startServer, type TestServer } from '../support/http-server.ts';
import { type OwnStack, startOwnStack } from '../support/own-stack.ts';

const parameters = {
  ...exampleIds,
  ...ref,
  returnId,
  parcelId,
  exchangeId: exchanged.exchangeId,
  refundId: refund.refundId,
  externalId: 'refund-1',
  code: 'fit.runs_small',
  queue: 'inbox',
  policyId,
  version: '1',
  from: '1',
  to: '2',
};

/** The operations that come before an operation of a return, with their own examples. */
const requested: readonly OperationName[] = ['registerOrder', 'createReturn'];
const approved: readonly OperationName[] = [...requested, 'approve'];
const sent: readonly OperationName[] = [...approved, 'addParcel'];
const moving: readonly OperationName[] = [...sent, 'updateParcel'];
const received: readonly OperationName[] = [...moving, 'receive'];
const inspected: readonly OperationName[] = [...received, 'inspect'];
const quoted: readonly OperationName[] = [...inspected, 'quoteReturn'];

/** An example, an example with other parameters, or a step that is no example. */
type Part = OperationName | readonly [name: OperationName, parameters: Readonly<Record<string, string>>] | Step;

/** Examples, each with the parts before it. */
const stories: readonly (readonly [OperationName, readonly OperationName[]])[] = [
  ['registerOrder', []],
  ['getOrder', ['registerOrder']],
  ['getReturnable', requested],
  ['recordRefund', approved],
  ['createReturn', ['registerOrder']],
  ['getReturn', requested],
  ['listReturns', requested],
  ['findReturns', requested],
  ['searchCustomers', requested],
  ['countViews', requested],
  ['updateReturn', requested],
  ['getHistory', [...requested, 'reject']],
  ['verifyHistory', approved],
  ['quoteReturn', inspected],
  ['addAttachment', requested],
  ['addNote', requested],
  ['assignReturn', requested],
  ['listUsers', []],
  ['approve', requested],
  ['amendReturn', requested],
  ['reject', requested],
  ['requestInfo', requested],
  ['provideInfo', [...requested, 'requestInfo']],
  ['cancel', approved],
  ['expire', approved],
  ['reopen', [...requested, 'reject']],
  ['addParcel', approved],
  ['updateParcel', sent],
  ['receive', moving],
  ['receiveAndRefund', moving],
  ['closeReceipt', approved],
  ['correct', received],
  ['grant', [...approved, 'closeReceipt']],
  ['inspect', received],
  ['complete', inspected],
  ['exchange', approved],
  ['exchangeResult', [...approved, 'exchange']],
  ['refund', quoted],
  ['compensate', inspected],
  ['remindRefund', inspected],
  ['recordRefundResult', [...quoted, 'refund']],
  ['listReasons', ['putReason']],
  ['putReason', []],
  ['shadowDraft', ['createPolicy']],
  ['rotateWebhookSecret', ['createWebhookEndpoint']],
  ['updateWebhookEndpoint', ['createWebhookEndpoint']],
  ['health', []],
  ['openapi', []],
  ['asyncapi', []],
];

/** Examples that follow one another. */
type Sequence = {
  /** Prepares the state that the examples show. */
  readonly before?: readonly Part[];
  readonly shows: readonly Part[];
  /** Ends the effect on other stories. */
  readonly after?: readonly Part[];
};

const period = { requestedFrom: '2026-11-01', requestedTo: '2026-11-30' };
const recovering: readonly Part[] = [...approved, 'recordRefund', 'closeReceipt'];

/** Stories with other steps, or with several examples in a row. */
const sequences: readonly (readonly [title: string, Sequence])[] = [
  ['an import', { before: ['registerOrder'], shows: [['importReturn', { source: 'loop', externalId: '58211' }]] }],
  [
    'a policy',
    {
      shows: [
        'createPolicy',
        'publish',
        ['getPolicyText', { country: 'CH', format: 'google' }],
        'getPolicy',
        'listPolicies',
        'listVersions',
        'getVersion',
        'saveDraft',
        'diffVersions',
        'archive',
      ],
    },
  ],
  ['a mistake in a policy', { before: [policyWithUnknownReason], shows: ['lintDraft'] }],
  ['a failed golden case', { before: [policyWithFailedCase], shows: ['testDraft'] }],
  ['a decision', { before: ['createPolicy', 'publish', decidedReturn(3)], shows: ['getDecision'], after: ['archive'] }],
  [
    'a backtest',
    {
      before: ['createPolicy', 'publish', bindBacktestStart, decidedReturn(40), otherDecidedReturn(20), 'saveDraft'],
      shows: ['backtestDraft', jobEnded(job.jobId), ['getJob', { jobId: job.jobId }]],
      after: ['archive'],
    },
  ],
  ['a cancelled bulk job', { before: [...requested, waitingBulk], shows: [['cancelBulk', { jobId: bulk.jobId }]] }],
  ['a cancelled job', { before: [waitingBacktest], shows: [['cancelJob', { jobId: job.jobId }]] }],
  [
    'a bulk command',
    { before: requested, shows: ['createBulk', jobEnded(bulk.jobId), ['getBulk', { jobId: bulk.jobId }]] },
  ],
  [
    'an export and an erasure',
    { shows: ['createExport', 'eraseCustomer', jobEnded(exported.jobId), jobEnded(erased.jobId), 'listJobs'] },
  ],
  [
    'a fee',
    {
      before: [policyWithFee, 'publish', ...inspected],
      shows: [['waiveFee', { type: 'return_shipping' }]],
      after: ['archive'],
    },
  ],
  ['a recovery', { before: recovering, shows: ['recordRecovery'] }],
  ['a recovery that is written off', { before: recovering, shows: ['writeOffRecovery'] }],
  [
    'statistics',
    {
      before: [...inspected, countReturns, bindPeriod],
      shows: ['getSummary', ['getAnalytics', { groupBy: 'sku', ...period }]],
    },
  ],
  [
    'events',
    {
      before: [...requested, publishEvents, readLastCursor, 'reject', publishEvents],
      shows: [
        ['listEvents', { cursor: lastCursor }],
        ['getMessage', { resourceId: returnId, sequence: '2', language: 'en' }],
      ],
    },
  ],
  [
    'a webhook endpoint',
    { shows: ['createWebhookEndpoint', 'getWebhookEndpoint', 'listWebhookEndpoints', 'deleteWebhookEndpoint'] },
  ],
  [
    'deliveries to a webhook endpoint',
    {
      before: ['createWebhookEndpoint'],
      shows: [
        'testWebhookEndpoint',
        ...approved,
        publishEvents,
        eventDelivered,
        ['listWebhookDeliveries', { from: at.requested }],
        'getWebhookDelivery',
        'redeliverWebhook',
      ],
      after: ['deleteWebhookEndpoint'],
    },
  ],
  [
    'failed deliveries to a webhook endpoint',
    {
      before: ['createWebhookEndpoint', pastDeliveries],
      shows: ['redeliverWebhooks'],
      after: ['deleteWebhookEndpoint'],
    },
  ],
  [
    'a webhook of a shop',
    {
      before: [webhookProcessed],
      shows: [
        ['listInboxDeliveries', inbound],
        ['getInboxDelivery', inbound],
        ['replay', inbound],
      ],
    },
  ],
  [
    'a withdrawal and its receipt',
    {
      before: [ownDeclaration],
      shows: [
        'declareWithdrawal',
        'getWithdrawal',
        'getWithdrawalReceipt',
        'getWithdrawalHistory',
        'verifyWithdrawalHistory',
        // The list of policies' versions has other bounds of the same names.
        ['listWithdrawals', { from: at.ordered, to: '2999-01-01T00:00:00Z' }],
        'recordReceiptSent',
      ],
    },
  ],
  [
    'an answered withdrawal',
    {
      before: [ownDeclaration, 'registerOrder', 'declareWithdrawal'],
      shows: ['matchWithdrawal', 'answerWithdrawal'],
    },
  ],
  ['a mistaken withdrawal', { before: [ownDeclaration, 'declareWithdrawal'], shows: ['withdrawWithdrawal'] }],
  [
    'parked intents',
    {
      before: [...requested, parkedRefund],
      shows: ['listIntents', 'getIntent', 'resolveIntent', parkedRefund, 'retryIntent'],
    },
  ],
  [
    'write-back to a shop',
    {
      before: [shadowedApprovals],
      shows: [
        ['setWriteBack', { platform: 'shopify' }],
        ['getWriteBack', { platform: 'shopify' }],
        ['reportWriteBack', { platform: 'shopify' }],
      ],
    },
  ],
  ['parked webhooks of a shop', { before: [parkedDeliveries(7)], shows: ['replayRange'] }],
  ['dead letters', { before: [deadLetters(3)], shows: ['redrive'] }],
  ['dead-letter queues', { before: [deadLetters(3)], shows: ['listDeadLetters', 'redriveDeadLetters'] }],
];

/** Returns the operation of a part; undefined for a step that is no example. */
const nameOf = (part: Part): OperationName | undefined => {
  if (typeof part === 'function') return undefined;
  return typeof part === 'string' ? part : part[0];
};

describe('the examples of the documents', () => {
  let stack: OwnStack;
  let receiver: TestServer;
  beforeAll(async () => {
    receiver = await startServer(() => ({ status: 204 }));
    // The refund of received goods is due so soon that a reminder follows at once.
    stack = await startOwnStack({
      modes: ['standalone'],
      returnTerms: { deadlines: { refundDueDays: 2 } },
      writeBack: 'shopify,web',
    });
    await putUser(stack.info);
  });
  afterAll(async () => {
    await stack.close();
    await receiver[Symbol.asyncDispose]();
  });

  const start = (): Player => {
    const story = startStory(stack.info, parameters);
    story.bind('https://hooks.example.com/returns', `${receiver.origin}/returns`);
    story.bind(event.source, 'urn:returns:dev');
    return story;
  };

  /** Plays the parts in order, and returns the differences of the responses from the examples. */
  const playAll = async (story: Player, parts: readonly Part[]): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const part of parts) {
      if (typeof part === 'function') {
        await part({ stack, story });
        continue;
      }
      const [name, own = {}] = typeof part === 'string' ? [part] : part;
      found.push(...(await story.play(name, { parameters: own })));
    }
    return found;
  };

  it('are sent for every operation', () => {
    const names = sequences.flatMap(([, { shows }]) => shows.flatMap((part) => nameOf(part) ?? []));
    expect([...new Set([...stories.map(([name]) => name), ...names])].toSorted()).toEqual(
      Object.keys(contract).toSorted(),
    );
  });

  it.each(sample(sequences, 5))('show %s', async (_, { before = [], shows, after = [] }) => {
    const story = start();
    // The examples of these parts belong to other stories.
    await playAll(story, before);
    try {
      expect(await playAll(story, shows)).toEqual([]);
    } finally {
      await playAll(story, after);
    }
  });

  it.each(sample(stories, 5))('show the response of %s', async (name, before) => {
    const story = start();
    await playAll(story, before);
    expect(await story.play(name)).toEqual([]);
  });
});
