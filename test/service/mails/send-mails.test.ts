import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendMails } from '../../../lib/service/mails/send-mails.ts';
import { table } from '../../../lib/store/engine/client.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import type { Answer, TestServer } from '../../support/http-server.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { approvedReturn, startSchedules } from '../schedules/support.ts';
import { accepted, mailVariables, rejected, type SesAnswer, startSes } from './ses-world.ts';

const { backendWith } = await startSchedules();
const backend = backendWith({});
const run = sendMails(backend);

const lines: string[] = [];
beforeEach(() => {
  lines.splice(0);
  hearLines((line) => void lines.push(line));
});
afterEach(() => void vi.restoreAllMocks());

const reasons = () => lines.flatMap((line) => (JSON.parse(line) as { reason?: string }).reason ?? []);

let ses: TestServer;
const sesWith = async (answers: readonly SesAnswer[] = [], limit?: number): Promise<void> => {
  ses = await startSes(...answers);
  setEnvironment(mailVariables(ses.origin, limit));
};

/** The mails that SES got, as it would send them. */
const mails = () =>
  ses.requests.map(({ body }) => {
    const { Destination, Content, EmailTags } = JSON.parse(body) as {
      readonly Destination: { readonly ToAddresses: readonly string[] };
      readonly Content: { readonly Simple: { readonly Subject: { readonly Data: string } } };
      readonly EmailTags: readonly { readonly Value: string }[];
    };
    return { to: Destination.ToAddresses, subject: Content.Simple.Subject.Data, tag: EmailTags[0]?.Value };
  });

/** A message of the queue, as the rule of EventBridge makes it of an event. */
const messageOf = async (resourceId: string, sequence = 2) => {
  const found = await backend.getMessage({ resourceId, sequence }, backendCall());
  if (!found.ok) throw new Error(found.failure.code);
  const { eventId, name } = found.value.body;
  return { id: eventId, subject: resourceId, data: { sequence, messageName: name } };
};

/** Delivers a message to the worker. Returns whether SQS delivers it again. */
const deliver = async (body: object): Promise<boolean> => {
  const records = [{ messageId: randomUUID(), body: JSON.stringify(body) }];
  // The timeout of the function.
  const { batchItemFailures } = await run({ Records: records } as never, contextWith(30_000));
  return batchItemFailures.length > 0;
};

/** Lets the claim of a worker end, as the visibility timeout of the queue does. */
const laterOn = (ms = 900_000): void => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
afterEach(() => void vi.useRealTimers());

const declare = async (email: string) => {
  const declared = await backend.declareWithdrawal({ name: 'Ada', email, contract: randomUUID() }, backendCall());
  if (!declared.ok) throw new Error(declared.failure.code);
  return declared.value.body.withdrawalId;
};
const receiptFor = async (email: string) => messageOf(await declare(email));
const newAddress = () => `ada-${randomUUID()}@example.com`;

const receiptOf = async (withdrawalId: string) => {
  const found = await backend.getWithdrawal({ withdrawalId }, backendCall());
  return found.ok ? found.value.body.receipt : undefined;
};

describe('sendMails', () => {
  it('sends an approval once to the customer, whatever the queue repeats', async () => {
    await sesWith();
    const message = await messageOf(await approvedReturn(backend));
    expect([await deliver(message), await deliver(message), await deliver(message)]).toEqual([false, false, false]);
    expect(mails()).toMatchObject([{ to: ['marker-ada@example.com'], tag: message.id }]);
    laterOn();
    expect(await deliver(message)).toBe(false);
    expect(mails()).toHaveLength(1);
  });

  it('reports a sent receipt with the id of the mail, and not again', async () => {
    await sesWith([accepted('id-of-mail')]);
    const withdrawalId = await declare(newAddress());
    const message = await messageOf(withdrawalId);
    expect(await deliver(message)).toBe(false);
    const receipt = await receiptOf(withdrawalId);
    expect(receipt).toMatchObject({ status: 'sent', sent: { channel: 'email', reference: 'id-of-mail' } });
    laterOn();
    expect(await deliver(message)).toBe(false);
    expect(await receiptOf(withdrawalId)).toEqual(receipt);
  });

  it('reports a sent receipt later when its time is over, and sends no second mail', async () => {
    const late = (): Answer => {
      laterOn();
      return accepted('id-of-late-mail');
    };
    await sesWith([late]);
    const withdrawalId = await declare(newAddress());
    const message = await messageOf(withdrawalId);
    expect(await deliver(message)).toBe(true);
    expect(reasons()).toContain('timeout');
    expect(await receiptOf(withdrawalId)).toMatchObject({ status: 'due' });
    expect(await deliver(message)).toBe(false);
    expect(await receiptOf(withdrawalId)).toMatchObject({ sent: { reference: 'id-of-late-mail' } });
    expect(mails()).toHaveLength(1);
  });

  it.each(['oops', JSON.stringify({ MessageId: `${'a'.repeat(300)}\u0000` })])(
    'sends a receipt once, and reports it, when SES accepts it with the answer %#',
    async (body) => {
      await sesWith([{ status: 200, body }]);
      const withdrawalId = await declare(newAddress());
      const message = await messageOf(withdrawalId);
      for (const _ of [1, 2]) {
        expect(await deliver(message)).toBe(false);
        laterOn();
      }
      expect(mails()).toHaveLength(1);
      expect(await receiptOf(withdrawalId)).toMatchObject({ status: 'sent', sent: { channel: 'email' } });
    },
  );

  it('leaves a report of the shop about the receipt as it is', async () => {
    await sesWith();
    const withdrawalId = await declare(newAddress());
    const message = await messageOf(withdrawalId);
    const sentAt = new Date().toISOString();
    await backend.recordReceiptSent({ withdrawalId, sentAt, channel: 'letter' }, backendCall());
    expect(await deliver(message)).toBe(false);
    expect(await receiptOf(withdrawalId)).toMatchObject({ sent: { channel: 'letter' } });
  });

  it.each<[string, Answer]>([
    ['is throttled', rejected(429, 'TooManyRequestsException')],
    ['fails', rejected(500, 'InternalServiceErrorException')],
    ['breaks the connection', 'reset'],
    ['has paused the account', rejected(400, 'SendingPausedException')],
    ['does not know the sender', rejected(400, 'MessageRejected')],
  ])('sends later, and counts once, when SES %s', async (_, answer) => {
    await sesWith([answer, answer, answer]);
    const email = newAddress();
    const message = await receiptFor(email);
    expect(await deliver(message)).toBe(true);
    // Another worker may still be sending.
    expect(await deliver(message)).toBe(true);
    expect(mails()).toHaveLength(1);
    for (const isLeft of [true, true, false]) {
      laterOn();
      expect(await deliver(message)).toBe(isLeft);
    }
    expect(mails()).toHaveLength(4);
    // Two more of the day: the four attempts were one mail.
    vi.useRealTimers();
    for (const _more of [2, 3]) expect(await deliver(await receiptFor(email))).toBe(false);
    expect(mails()).toHaveLength(6);
    expect(lines.join('')).not.toContain('@example.com');
  });

  it.each<[string, number, Answer]>([
    ['five times when SES gives no answer', 5, 'reset'],
    ['five times when SES fails', 5, rejected(500, 'InternalServiceErrorException')],
    ['each time when SES has rejected the mail before', 20, rejected(429, 'TooManyRequestsException')],
  ])('tries for an hour %s', async (_, times, answer) => {
    await sesWith(Array.from({ length: 20 }, () => answer));
    const message = await receiptFor(newAddress());
    for (let receives = 1; receives <= 20; receives += 1) {
      expect(await deliver(message)).toBe(true);
      laterOn(180_000);
    }
    expect(mails()).toHaveLength(times);
    // A redrive on the next day tries again.
    laterOn(86_400_000);
    await deliver(message);
    expect(mails()).toHaveLength(times + 1);
  });

  it('drops a receipt whose typed address SES rejects, and keeps the message about a return', async () => {
    await sesWith([rejected(400, 'BadRequestException'), rejected(400, 'BadRequestException')]);
    expect(await deliver(await receiptFor(newAddress()))).toBe(false);
    expect(await deliver(await messageOf(await approvedReturn(backend)))).toBe(true);
    expect(reasons()).toEqual(['BadRequestException', 'BadRequestException']);
  });

  it('sends at most three receipts a day to a mailbox, and the next ones on the next day', async () => {
    await sesWith();
    const own = randomUUID();
    const spellings = [`ada-${own}@example.com`, `ADA-${own}@example.com`, `ada-${own}+1@example.com`];
    for (const email of [...spellings, `ada-${own}+2@example.com`])
      expect(await deliver(await receiptFor(email))).toBe(false);
    expect(mails()).toHaveLength(3);
    expect(reasons()).toEqual(['address_limit']);
    const next = await receiptFor(`ada-${own}@example.com`);
    laterOn(86_400_000);
    expect(await deliver(next)).toBe(false);
    expect(mails()).toHaveLength(4);
  });

  it('limits the receipts of a day, and keeps messages about returns for later', async () => {
    await sesWith([], 2);
    // A day without other mails.
    laterOn(40 * 86_400_000);
    for (const _ of [1, 2, 3]) expect(await deliver(await receiptFor(newAddress()))).toBe(false);
    expect([mails().length, reasons()]).toEqual([2, ['deployment_limit']]);
    // They are counted apart.
    const approvals = [];
    for (const _ of [1, 2, 3]) approvals.push(await messageOf(await approvedReturn(backend)));
    const [first, second, third] = approvals;
    expect([await deliver(first ?? {}), await deliver(second ?? {}), await deliver(third ?? {})]).toEqual([
      false,
      false,
      true,
    ]);
    laterOn(86_400_000);
    expect(await deliver(third ?? {})).toBe(false);
    expect(mails()).toHaveLength(5);
  });

  it('sends at most three of five receipts for a mailbox at the same time', async () => {
    await sesWith();
    const email = newAddress();
    const messages = await Promise.all([1, 2, 3, 4, 5].map(async () => receiptFor(email)));
    expect(await Promise.all(messages.map(deliver))).toEqual(messages.map(() => false));
    expect(mails()).toHaveLength(3);
    expect(reasons()).toEqual(['address_limit', 'address_limit']);
  });

  it('stops an address after a bounce or a complaint about a mail of this service', async () => {
    await sesWith();
    const own = randomUUID();
    const message = await receiptFor(`ada-${own}@example.com`);
    await deliver(message);
    const tags = { event: [message.id], 'ses:configuration-set': ['returns-test'] };
    expect([await deliver(tags), await deliver(tags)]).toEqual([false, false]);
    expect(await deliver(await receiptFor(`Ada-${own}+x@example.com`))).toBe(false);
    expect(mails()).toHaveLength(1);
    expect(reasons()).toEqual(['address_stopped']);
    // Another address is not concerned, nor is a mail of another service.
    expect(await deliver({ ...tags, event: ['evt_01KAJ5B7D9F1H3K5M7P9R1T3V5'] })).toBe(false);
    expect(await deliver(await receiptFor(newAddress()))).toBe(false);
    expect(mails()).toHaveLength(2);
  });

  it('stops no mailbox when a tag bounces that another person has typed', async () => {
    await sesWith();
    const own = randomUUID();
    const typed = await receiptFor(`ada-${own}+no-such-tag@example.com`);
    await deliver(typed);
    await deliver({ event: [typed.id] });
    await deliver(await receiptFor(`ada-${own}@example.com`));
    await deliver(await receiptFor(`Ada-${own}+no-such-tag@example.com`));
    expect(mails().map(({ to }) => to)).toEqual([[`ada-${own}+no-such-tag@example.com`], [`ada-${own}@example.com`]]);
    expect(reasons()).toEqual(['address_stopped']);
  });

  it('sends nothing without an address, to one that could add a recipient, or without a message', async () => {
    await sesWith();
    for (const email of ['ada@example.com,eve@example.com', 'ädä@example.com'])
      expect(await deliver(await receiptFor(email))).toBe(false);
    const approval = await messageOf(await approvedReturn(backend));
    expect(await deliver({ ...approval, data: { sequence: 1 } })).toBe(false);
    expect(reasons()).toEqual(['address_not_mailable', 'address_not_mailable', 'message_not_found']);
    expect(mails()).toEqual([]);
  });

  it.each([
    ['a receipt', 90, async () => receiptFor(newAddress())],
    ['a message about a return', 3, async () => messageOf(await approvedReturn(backend))],
  ])('sends %s up to %s days after its event, and never later', async (_, days, messageFor) => {
    await sesWith();
    const tooOld = await messageFor();
    laterOn((days - 1) * 86_400_000);
    const message = await messageFor();
    laterOn(2 * 86_400_000);
    expect([await deliver(tooOld), await deliver(message)]).toEqual([false, false]);
    expect(mails()).toMatchObject([{ tag: message.id }]);
    expect(reasons()).toEqual(['event_too_old']);
  });

  it('leaves an unknown message to the dead-letter queue', async () => {
    await sesWith();
    expect(await deliver({ subject: 'ret_1' })).toBe(true);
    const id = `evt_${ulid()}`;
    expect(await deliver({ id, subject: 'ret_1', data: { sequence: 1 } })).toBe(true);
    expect(reasons()).toEqual(['invalid_request']);
    expect(mails()).toEqual([]);
  });

  it('stores no address', async () => {
    await sesWith();
    const own = randomUUID();
    const message = await receiptFor(`${own}@example.com`);
    await deliver(message);
    await deliver({ event: [message.id] });
    using session = openSession(ampleDeadline());
    const { Items = [] } = await session.send(
      new ScanCommand({
        TableName: table(),
        FilterExpression: 'begins_with(pk, :pk)',
        ExpressionAttributeValues: { ':pk': 'MAIL' },
      }),
    );
    expect(Items.length).toBeGreaterThan(3);
    expect(JSON.stringify(Items)).not.toContain(own);
    expect(Items.filter(({ pk, expiresAt }) => pk !== 'MAILKEY' && typeof expiresAt !== 'number')).toEqual([]);
  });
});
