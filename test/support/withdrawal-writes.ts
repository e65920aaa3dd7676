import { randomUUID } from 'node:crypto';
import type { Output } from '../../lib/contract/contract.ts';
import type { Answer, Api } from './api.ts';
import { registerOrder } from './scenario.ts';

const rule = { answer: 'no_right', rule: '2011/83/EU#16.e', source: 'https://law.example.com/16' };

/** A declaration that no other test makes. */
const declaration = () => {
  const own = randomUUID();
  return { name: `Ada ${own}`, email: `ada-${own}@example.com`, contract: `#${own}` };
};

/** Returns a command on a new withdrawal, with its path and body. */
const onWithdrawal = (
  operation: string,
  path: string,
  bodyOf: (service: Api, withdrawal: string) => Promise<object>,
) => ({
  operation,
  status: 200,
  again: 200,
  prepare: async (service: Api) => {
    const declared = (await service.post('/withdrawals', declaration())).body as unknown as Output<'declareWithdrawal'>;
    const withdrawal = `/withdrawals/${declared.withdrawalId}`;
    const body = await bodyOf(service, withdrawal);
    return async (key: string): Promise<Answer> => service.post(`${withdrawal}/${path}`, body, { key });
  },
});

/** The writing operations on withdrawals. */
export const withdrawalWrites = [
  {
    operation: 'declareWithdrawal',
    status: 201,
    again: 201,
    prepare: async (service: Api) => {
      const body = declaration();
      return async (key: string): Promise<Answer> => service.post('/withdrawals', body, { key });
    },
  },
  onWithdrawal('matchWithdrawal', 'match', async (service) => ({ order: await registerOrder(service) })),
  onWithdrawal('answerWithdrawal', 'answer', async (service, withdrawal) => {
    // No law grants a right there, so the answer is left to staff.
    await service.post(`${withdrawal}/match`, { order: await registerOrder(service, { country: 'US' }) });
    return rule;
  }),
  onWithdrawal('withdrawWithdrawal', 'withdraw', async () => ({ reason: 'mistake' })),
  onWithdrawal('recordReceiptSent', 'receipt/sent', async () => ({
    sentAt: new Date().toISOString(),
    channel: 'email',
  })),
];
