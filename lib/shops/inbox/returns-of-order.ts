import type { Output } from '../../contract/contract.ts';
import type { Call } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import type { InboxBackend } from '../../contract/inbox/sync.ts';

export type ListedReturn = Output<'listReturns'>['items'][number];

/** The maximum of the contract. */
const pageSize = 100;
/** The limit ends a listing whose cursor never ends. */
const maxPages = 100;

/**
 * Lists our returns of an order, each page once and from the cursor of the page before.
 * A page can be short or empty although more follow.
 *
 * @param isEnough whether the pages up to now are enough
 */
export const listReturnsOf = async (
  backend: Pick<InboxBackend, 'listReturns'>,
  { platform, orderId }: { readonly platform: string; readonly orderId: string },
  call: Call,
  isEnough: (page: readonly ListedReturn[]) => boolean = () => false,
): Promise<Result<readonly ListedReturn[]>> => {
  const found: ListedReturn[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const input = { platform, orderId, limit: pageSize, ...(cursor !== null && { cursor }) };
    const listed: Awaited<ReturnType<InboxBackend['listReturns']>> = await backend.listReturns(input, call);
    if (!listed.ok) return listed;
    const { items, nextCursor } = listed.value.body;
    found.push(...items);
    if (nextCursor === null || isEnough(items)) return ok(found);
    cursor = nextCursor;
  }
  return fail({
    code: 'internal_error',
    detail: `The returns of the order do not end after ${maxPages} pages. Check the cursor of listReturns.`,
  });
};
