import { describe, expect, it } from 'vitest';
import { newKey, openWorldWithDeadlines, problemOf, processing } from './world.ts';

const { call, createApproved, effectsOf, requestsOf, books, front } = await openWorldWithDeadlines();

const unknown = { status: 504, code: 'timeout' };

/** Returns what receives all units of a return, with one key. */
const receiptOf = (id: string) => {
  const key = newKey();
  return () => call.post(`/returns/${id}/receipts`, { lines: [{ lineId: '1', quantity: 2 }] }, { key });
};

describe('a receipt that the service carries out after the deadline', () => {
  it('returns 504 while the service is silent or has no result, and a repeat reads the effect', async () => {
    const [silent, open] = [await createApproved(), await createApproved()];
    processing.ms = 3_600_000;
    const answered = Promise.withResolvers<void>();
    front.meddle('POST', `/devolucoes/${silent}/recebimento`, async (forward) => {
      const answer = await forward();
      // No sooner than the function has answered.
      await answered.promise;
      return answer;
    });
    const receipts = [receiptOf(silent), receiptOf(open)];

    const answers = await Promise.all(receipts.map((receive) => receive()));
    answered.resolve();
    books.processDue(Number.POSITIVE_INFINITY);

    expect(answers.map(problemOf)).toEqual([expect.objectContaining(unknown), expect.objectContaining(unknown)]);
    for (const receive of receipts)
      // Until its deadline the first request is in progress.
      await expect.poll(async () => (await receive()).body).toMatchObject({ status: 'received' });
    for (const id of [silent, open]) {
      expect(effectsOf(id)).toEqual(['ABERTA', 'APROVADA', 'RECEBIDA']);
      expect(requestsOf('POST', id).filter(({ path }) => path.endsWith('/recebimento'))).toHaveLength(1);
    }
  });
});
