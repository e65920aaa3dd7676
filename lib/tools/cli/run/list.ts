import { isObject, type JsonObject } from '../../../runtime/json.ts';
import type { OperationName } from '../../../contract/contract.ts';
import type { OperationInfo } from '../catalogue.ts';
import { exitCodes } from '../../command-line/exit-codes.ts';
import { type Invocation, reportFailure } from './context.ts';
import { safeJson } from '../output/safe-text.ts';
import { openTable } from '../output/table.ts';

/** The columns of the tables that people read most. Other lists show the first fields of their items. */
const chosen: Partial<Record<OperationName, readonly string[]>> = {
  listReturns: ['returnId', 'status', 'order', 'openUnits', 'amounts.due', 'nextStep', 'dueAt', 'createdAt'],
  listPolicies: ['policyId', 'name', 'inForce', 'draft', 'latest', 'updatedAt'],
  listVersions: ['version', 'status', 'effectiveFrom', 'effectiveUntil', 'note'],
  listInboxDeliveries: ['deliveryKey', 'status', 'platform', 'topic', 'orderId', 'reason', 'lastError', 'receivedAt'],
  listWebhookEndpoints: ['endpointId', 'enabled', 'url', 'eventTypes'],
  listWebhookDeliveries: [
    'eventId',
    'status',
    'type',
    'subject',
    'lastAttempt.status',
    'lastAttempt.error',
    'updatedAt',
  ],
  listIntents: ['intentId', 'status', 'action', 'order', 'reason', 'heldBy.intentId', 'returnId', 'plannedAt'],
  listJobs: ['jobId', 'kind', 'status', 'createdAt', 'updatedAt'],
  getHistory: ['sequence', 'at', 'type', 'from', 'to', 'actor.clientId', 'actor.onBehalfOf', 'actor.user.id'],
};

const maxColumns = 8;

/** Returns the columns of the table of a list. */
export const shownColumns = ({ operation: { name }, columns }: OperationInfo): readonly string[] =>
  chosen[name] ?? columns.slice(0, maxColumns);

type Page = { readonly items: readonly unknown[]; readonly nextCursor: string | null };

const pageOf = (body: JsonObject): Page | undefined => {
  const { items, nextCursor } = body;
  return Array.isArray(items) && (nextCursor === null || typeof nextCursor === 'string')
    ? { items, nextCursor }
    : undefined;
};

/** The page of a service that breaks the contract. */
const noPage = {
  code: 'dependency_refused',
  detail: 'The service answered without a page.',
  reason: 'answered without a page',
} as const;

const maxPage = 200;

/** Prints the items of pages: one JSON document on each line, or a table. */
const openPrinter = ({ info, terminal, json }: Invocation) => {
  const table = openTable({ columns: shownColumns(info), width: terminal.width });
  return async (items: readonly unknown[]): Promise<void> => {
    if (json) {
      if (items.length > 0) await terminal.print(items.map((item) => safeJson(item)).join('\n'));
      return;
    }
    const { head, rows } = table.lines(items);
    const lines = [...(head === undefined ? [] : [terminal.paint('bold', head)]), ...rows];
    if (lines.length > 0) await terminal.print(lines.join('\n'));
  };
};

/**
 * Prints a list page by page. Memory holds one page. It stops after `limit` items, and names the cursor that continues.
 *
 * @returns the exit code
 */
export const runList = async (invocation: Invocation): Promise<number> => {
  const { info, input, call, settings, terminal } = invocation;
  const print = openPrinter(invocation);
  const hasPages = info.query.some(({ name }) => name === 'limit');
  const limit = (hasPages ? invocation.limit : undefined) ?? Number.POSITIVE_INFINITY;
  let cursor = typeof input['cursor'] === 'string' ? input['cursor'] : undefined;
  let printed = 0;
  for (;;) {
    const size = hasPages ? { limit: Math.min(maxPage, limit - printed) } : {};
    const answer = await call(
      info.operation.name,
      { ...input, ...size, ...(cursor === undefined ? {} : { cursor }) },
      settings,
    );
    if (!answer.ok) return reportFailure(invocation, answer.failure);
    const page = isObject(answer.value.body) ? pageOf(answer.value.body) : undefined;
    if (page === undefined) return reportFailure(invocation, noPage);
    await print(page.items);
    printed += page.items.length;
    if (page.nextCursor === null) return exitCodes.ok;
    // An endless list, such as events, returns the same cursor when it has no more items now.
    const isEnd = page.nextCursor === cursor;
    if (isEnd || printed >= limit) {
      terminal.note(
        isEnd
          ? `No more items now. Continue later with --cursor ${page.nextCursor}`
          : `More items may exist. Add --all, or continue with --cursor ${page.nextCursor}`,
      );
      return exitCodes.ok;
    }
    cursor = page.nextCursor;
  }
};
