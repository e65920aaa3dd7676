import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { receiptPromise } from '../../../lib/edge/withdraw-page/receipt-promise.ts';
import type { StoredMail } from '../../../lib/tools/local/emulators/ses.ts';
import { api, type Api } from '../../support/api.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { createReturn } from '../../support/scenario.ts';

let stack: OwnStack;
let service: Api;
beforeAll(async () => {
  stack = await startOwnStack({ streams: true, modes: ['standalone'], mailSender: 'returns@shop.example' });
  service = api('standalone', stack.info);
});
afterAll(async () => stack.close());

/** Repeats a check until it holds: the stream and the queue report changes later. */
const eventually = async (check: () => Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 200 });

const mailsTo = async (address: string): Promise<readonly StoredMail[]> => {
  const { mails } = (await (await fetch(`${stack.info.aws.ses}/mails`)).json()) as { mails: readonly StoredMail[] };
  return mails.filter(({ to }) => to === address);
};

const declare = async (email: string) => {
  const { body } = await service.post('/withdrawals', { name: 'Ada', email, contract: randomUUID(), language: 'pt' });
  return (body as unknown as { readonly withdrawalId: string }).withdrawalId;
};

describe('an event with a message', () => {
  it('becomes a mail with the receipt, and the receipt is recorded as sent', async () => {
    const email = `ada-${randomUUID()}@example.com`;
    const withdrawalId = await declare(email);
    await eventually(async () => {
      const { body } = await service.get(`/withdrawals/${withdrawalId}`);
      expect(body).toMatchObject({ receipt: { status: 'sent', sent: { channel: 'email' } } });
    });
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: 'returns@shop.example', text: expect.stringContaining(withdrawalId) });
  });

  it('becomes a mail with the instructions of an approval', async () => {
    const { id } = await createReturn(service);
    const { body } = await service.post(`/returns/${id}/approve`);
    const { rmaNumber } = body as unknown as { readonly rmaNumber: string };
    await eventually(async () => {
      const mails = await mailsTo('marker-ada@example.com');
      expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining(rmaNumber)]);
    });
  });

  it('sends no further mail to an address that bounced', async () => {
    const bouncing = `bounce+${randomUUID()}@simulator.amazonses.com`;
    const logged = async () => readFile(join(stack.dataDir, 'logs', 'standalone.log'), 'utf8');
    await declare(bouncing);
    await eventually(async () => expect(await logged()).toContain('"address stopped"'));
    const withdrawalId = await declare(bouncing);
    await eventually(async () => expect(await logged()).toContain('"address_stopped"'));
    expect(await mailsTo(bouncing)).toHaveLength(1);
    // People see that the receipt is still to be sent.
    const { body } = await service.get(`/withdrawals/${withdrawalId}`);
    expect(body).toMatchObject({ receipt: { status: 'due' } });
    expect(await logged()).not.toContain('@simulator');
  });
});

describe('the page for withdrawals', () => {
  it('promises an e-mail where the deployment sends it', async () => {
    const page = await (await fetch(`${stack.standalone.urls.web}/withdraw?lang=en`)).text();
    expect(page).toContain(receiptPromise({ language: 'en', mailsReceipts: true }).hint);
  });
});
