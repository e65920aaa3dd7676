import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type JournalledCommand,
  readEntry,
  removeEntry,
  writeEntry,
  writeSent,
} from '../../../lib/store/connected/journal.ts';
import { countOpenWork } from '../../../lib/store/connected/open-work.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import type { InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { recordAttempt, settleDelivery, storeDelivery } from '../../../lib/store/inbox/inbox.ts';
import { openWorkError } from '../../../lib/tools/deploy/open-work.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { ampleDeadline } from '../../support/time.ts';
import { inSoak } from '../../support/samples.ts';

/* Open work in the table of the engine, whose rows the journal and the inbox have written. */

const engines = await startEngines();
const client = new DynamoDBClient({});
const documents = DynamoDBDocumentClient.from(client);
const session = openSession(ampleDeadline());

afterAll(async () => {
  session[Symbol.dispose]();
  client.destroy();
  await engines.stop();
});

const now = Date.parse('2026-11-20T12:00:00Z');
const dayMs = 86_400_000;

const sentCommand = async (fingerprint = 'approve', at = now): Promise<JournalledCommand> => {
  const command = { owner: ['shop'], key: randomUUID(), fingerprint };
  await writeSent(session, command, at + 20_000, at);
  return command;
};

const delivery = async (at = now): Promise<InboxRow> => {
  const row: InboxRow = {
    platform: 'acme',
    source: 'shop.example',
    topic: 'returns/request',
    deliveryId: randomUUID(),
    body: Buffer.from('{}'),
    bodyHash: 'hash',
    receivedAt: new Date(at).toISOString(),
    traceId: '0'.repeat(32),
    status: 'received',
    attempts: 0,
    expiresAt: Math.floor(at / 1000) + 30 * 86_400,
  };
  await storeDelivery(session, row);
  return row;
};

const count = () => countOpenWork(documents, engines.table, now);

describe('countOpenWork', () => {
  it('returns nothing for a table whose rows are answered, removed, settled or expired', async () => {
    const [answered, removed] = [await sentCommand(), await sentCommand()];
    await writeEntry(session, answered, { endsAt: now, answer: { status: 200 } }, now);
    await removeEntry(session, removed, now + 20_000);
    await sentCommand('approve', now - dayMs);
    const settled = await delivery();
    const order = { platform: 'acme', orderId: '7' };
    await settleDelivery(session, settled, { status: 'done', returnId: '12', order }, settled.receivedAt);
    await delivery(now - 30 * dayMs);

    expect(await count()).toEqual({ commands: 0, deliveries: 0, isPartial: false });
  });

  it('counts commands without an answer, and deliveries that wait or have failed', async () => {
    await sentCommand();
    const unknown = await sentCommand();
    await writeEntry(session, unknown, { endsAt: now }, now);
    await sentCommand('approve', now - dayMs + 1_000);
    await delivery();
    await recordAttempt(session, await delivery(), 'received', 'shop_status_503');
    await recordAttempt(session, await delivery(), 'failed', 'shop_status_503');
    await delivery(now - 30 * dayMs + 1_000);

    expect(await count()).toEqual({ commands: 3, deliveries: 4, isPartial: false });
  });

  it.each(inSoak('ends after 1,000 rows, and says that there may be more'))('%s', async () => {
    // A page of DynamoDB ends after 1 MiB: it has more than 1,000 of these rows, and fewer than all.
    const fingerprint = 'f'.repeat(850);
    for (let written = 0; written < 1_200; written += 100)
      await Promise.all(Array.from({ length: 100 }, () => sentCommand(fingerprint)));

    const { commands, isPartial } = await count();

    expect(isPartial).toBe(true);
    expect(commands).toBeGreaterThanOrEqual(1_000);
    expect(commands).toBeLessThan(1_200);
  });
});

describe('openWorkError', () => {
  it('is undefined without open work', () => {
    expect(openWorkError({ commands: 0, deliveries: 0, isPartial: false }, 'acme')).toBeUndefined();
  });

  it('names the numbers of a whole count', () => {
    expect(openWorkError({ commands: 2, deliveries: 1, isPartial: false }, 'acme')).toContain(
      'the stage runs the adapter acme, and 2 commands have no known effect, 1 deliveries are not processed',
    );
  });

  it('says "at least" where the count has ended early', () => {
    expect(openWorkError({ commands: 1_000, deliveries: 3, isPartial: true }, 'acme')).toContain(
      'and at least 1000 commands have no known effect, at least 3 deliveries are not processed',
    );
  });
});

describe('removeEntry', () => {
  it('leaves the entry of a request that sent the command again', async () => {
    const command = await sentCommand();
    const seen = now + 20_000;
    await removeEntry(session, command, seen);
    await writeSent(session, command, seen + 1, now);

    await removeEntry(session, command, seen);
    expect(await readEntry(session, command, now)).toMatchObject({ endsAt: seen + 1 });
    await removeEntry(session, command, seen + 1);
    expect(await readEntry(session, command, now)).toBeUndefined();
  });
});
