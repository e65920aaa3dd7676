import { fail, ok, type Result } from '../../contract/result.ts';
import type { ShopFailure } from '../platform.ts';
import { ask, type Answer } from './admin.ts';
import { digitsOf, isGid } from './gid.ts';
import { returnQuery, type PageInfo, type ReturnLineNode, type ReturnNode } from './queries.ts';
import { reasonOf, type NewLine } from './translate.ts';

/** The contract's 200 lines take two pages. */
const mostPages = 3;

export type ReturnReading = { readonly orderGid: string; readonly lines: readonly NewLine[] };

const lineOf = (node: ReturnLineNode): NewLine | undefined => {
  const gid = node.fulfillmentLineItem?.lineItem.id;
  if (!isGid(gid, 'LineItem')) return undefined;
  const { returnReason: word, returnReasonDefinition: definition, customerNote, returnReasonNote } = node;
  const note = customerNote?.trim() ? customerNote : returnReasonNote;
  return {
    orderLineId: digitsOf(gid),
    quantity: node.quantity,
    reason: reasonOf({ word, handle: definition?.handle, label: definition?.name, note }),
  };
};

/**
 * Reads the lines of a return from the shop, for deliveries that leave them out. A line that Shopify could not tie to a
 * fulfilled unit (UnverifiedReturnLineItem) makes the return unreadable: leaving it out would return less than was asked.
 * https://shopify.dev/docs/api/admin-graphql/2026-07/queries/return
 */
export const fetchReturn = async (
  shop: string,
  returnGid: string,
  deadline: number,
): Promise<Result<ReturnReading, ShopFailure>> => {
  const lines: NewLine[] = [];
  let after: string | null = null;
  for (let count = 0; count < mostPages; count += 1) {
    const answer: Answer<{ return: ReturnNode | null }> = await ask(
      shop,
      returnQuery,
      { id: returnGid, after },
      deadline,
    );
    if (!answer.ok) return fail(answer.failure);
    const found: ReturnNode | null = answer.data.return;
    if (found === null)
      return fail({ kind: 'permanent', reason: answer.denied ? 'shop_denied_access' : 'shop_return_not_found' });
    for (const node of found.returnLineItems.nodes) {
      const line = lineOf(node);
      if (line === undefined) return fail({ kind: 'permanent', reason: 'return_line_unverified' });
      lines.push(line);
    }
    const { hasNextPage, endCursor }: PageInfo = found.returnLineItems.pageInfo;
    if (!hasNextPage) {
      const orderGid = found.order?.id;
      if (!isGid(orderGid, 'Order')) return fail({ kind: 'permanent', reason: 'return_without_order' });
      return lines.length > 0 ? ok({ orderGid, lines }) : fail({ kind: 'permanent', reason: 'return_without_lines' });
    }
    after = endCursor;
  }
  return fail({ kind: 'permanent', reason: 'return_too_large' });
};
