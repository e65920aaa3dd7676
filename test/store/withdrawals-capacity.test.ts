import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startMeter } from '../support/meter.ts';
import { startSchedules } from '../service/schedules/support.ts';
import { backendCall } from '../support/backend-call.ts';
import { setEnvironment } from '../support/environment.ts';
import { executeRequest } from '../support/life-of-backend.ts';
import { register } from '../support/life.ts';

const { backendWith } = await startSchedules();
const backend = backendWith({});

const declaration = () => {
  const own = randomUUID();
  return { name: `Ada ${own}`, email: `ada-${own}@example.com`, contract: own, lines: `goods ${own}` };
};

describe('write and read capacity of withdrawals', () => {
  /** The limits of the operations, with texts of the usual length. */
  const limits = {
    declareWithdrawal: { write: 19, read: 2 },
    declareAgain: { write: 2, read: 4 },
    matchWithdrawal: { write: 15, read: 3 },
    answerWithdrawal: { write: 12, read: 2 },
    recordReceiptSent: { write: 11, read: 2 },
    withdrawWithdrawal: { write: 13, read: 3 },
  };

  it('is bounded for each command', async () => {
    const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
    const order = { platform: 'web', orderId: randomUUID() };
    await executeRequest(backend, register(order, 3), backendCall());
    const meter = await startMeter(engine);
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: meter.origin });
    const over: string[] = [];
    const measured = async (name: keyof typeof limits, run: () => Promise<{ readonly ok: boolean }>) => {
      meter.take();
      expect(await run()).toMatchObject({ ok: true });
      const { write, read } = meter.take();
      if (write > limits[name].write || read > limits[name].read) over.push(`${name}: ${write}, ${read}`);
    };
    try {
      const content = declaration();
      await measured('declareWithdrawal', async () => backend.declareWithdrawal(content, backendCall()));
      const first = await backend.declareWithdrawal(content, backendCall());
      const withdrawalId = first.ok ? first.value.body.withdrawalId : '';
      await measured('declareAgain', async () => backend.declareWithdrawal(content, backendCall()));
      const sent = { withdrawalId, sentAt: new Date().toISOString(), channel: 'email' as const };
      await measured('recordReceiptSent', async () => backend.recordReceiptSent(sent, backendCall()));
      await measured('matchWithdrawal', async () => backend.matchWithdrawal({ withdrawalId, order }, backendCall()));
      const given = { answer: 'no_right', rule: 'a', source: 'https://law.example/16', note: 'opened' } as const;
      await measured('answerWithdrawal', async () =>
        backend.answerWithdrawal({ withdrawalId, ...given }, backendCall()),
      );
      const other = await backend.declareWithdrawal(declaration(), backendCall());
      const otherId = other.ok ? other.value.body.withdrawalId : '';
      await measured('withdrawWithdrawal', async () =>
        backend.withdrawWithdrawal({ withdrawalId: otherId, reason: 'mistake' }, backendCall()),
      );
    } finally {
      setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: engine });
      await meter.close();
    }
    expect(over).toEqual([]);
  });
});
