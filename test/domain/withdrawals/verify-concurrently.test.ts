import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { remindReceipts } from '../../../lib/service/schedules/withdrawals/remind-receipts.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { eraseWithdrawal } from '../../../lib/store/personal/erasure.ts';
import { startSchedules } from '../../service/schedules/support.ts';
import { backendCall } from '../../support/backend-call.ts';
import { executeRequest } from '../../support/life-of-backend.ts';
import { register } from '../../support/life.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { inSoak } from '../../support/samples.ts';

const { backendWith } = await startSchedules();
const backend = backendWith({});
const session = openSession(ampleDeadline());
afterAll(() => session[Symbol.dispose]());

const declare = async (): Promise<string> => {
  const content = { name: 'Ada', email: 'ada@example.com', contract: randomUUID() };
  const declared = await backend.declareWithdrawal(content, backendCall());
  if (!declared.ok) throw new Error(declared.failure.code);
  return declared.value.body.withdrawalId;
};

const verify = async (withdrawalId: string) => {
  const verified = await backend.verifyWithdrawalHistory({ withdrawalId }, backendCall());
  if (!verified.ok) throw new Error(verified.failure.code);
  const { valid, firstFault, entries } = verified.value.body;
  return { valid, firstFault, entries };
};

const isOk = ({ ok }: { readonly ok: boolean }) => ok;

/** Leads a withdrawal through a life with a note and an erasure, and returns how many commands succeeded. */
const live = async (withdrawalId: string, order: { platform: string; orderId: string }): Promise<number> => {
  const sent = { withdrawalId, sentAt: new Date().toISOString(), channel: 'letter' as const };
  const given = { answer: 'no_right' as const, rule: '16.e', source: 'https://law.example/16', note: 'opened' };
  const done = [await backend.matchWithdrawal({ withdrawalId, order }, backendCall())];
  await eraseWithdrawal(session, withdrawalId, false);
  const answered = await backend.answerWithdrawal({ withdrawalId, ...given }, backendCall());
  const reported = await backend.recordReceiptSent(sent, backendCall());
  await eraseWithdrawal(session, withdrawalId, false);
  return [...done, answered, reported].filter(isOk).length;
};

describe('verifyWithdrawalHistory', () => {
  it.each(inSoak('finds no failure during commands and erasures'))('%s', async () => {
    const order = { platform: 'web', orderId: randomUUID() };
    await executeRequest(backend, register(order, 2), backendCall());
    const ids = await Promise.all(Array.from({ length: 6 }, declare));
    let isOver = false;
    const watching = ids.map(async (id) => {
      const seen = [];
      const isOpen = (): boolean => !isOver;
      do seen.push(await verify(id));
      while (isOpen());
      return seen;
    });
    const lived = await Promise.all(ids.map(async (id) => live(id, order)));
    isOver = true;
    const seen = (await Promise.all(watching)).flat();
    expect(lived).toEqual(ids.map(() => 3));
    expect(seen.filter(({ valid }) => !valid)).toEqual([]);
    expect(seen.length).toBeGreaterThan(ids.length);
    for (const id of ids) expect(await verify(id)).toMatchObject({ valid: true, entries: 5 });
  });

  it('finds no failure after the reminders of an erased declaration have ended', async () => {
    const id = await declare();
    await eraseWithdrawal(session, id, false);
    const lines = hearLines(() => undefined);
    await remindReceipts({}, contextWith(), Date.now() + 2 * 86_400_000);
    lines.mockRestore();
    expect(await verify(id)).toMatchObject({ valid: true, entries: 2 });
  });

  it('shows erased entries in the history', async () => {
    const withdrawalId = await declare();
    const read = async () => {
      const found = await backend.getWithdrawalHistory({ withdrawalId }, backendCall());
      if (!found.ok) throw new Error(found.failure.code);
      return found.value.body.items.map(({ erased, actor }) => [erased, 'onBehalfOf' in actor, 'erased' in actor]);
    };
    expect(await read()).toEqual([
      [undefined, true, false],
      [undefined, true, false],
    ]);
    await eraseWithdrawal(session, withdrawalId, false);
    expect(await read()).toEqual([
      [true, false, true],
      [undefined, false, true],
    ]);
  });
});
