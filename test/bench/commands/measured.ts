import type { Operation } from '../../../lib/contract/operation.ts';
import { approve, complete, inspect, receive, refund } from '../../../lib/contract/operations.ts';
import type { EventText } from '../container.ts';
import { eventOf } from '../requests.ts';

/** The measured commands, in the order in which a return gets them. */
export const commandNames = ['approve', 'receive', 'inspect', 'refund', 'complete'] as const;
export type CommandName = (typeof commandNames)[number];

const unit = { lineId: '{subject.lineId}', quantity: 1 };

const operations: Readonly<Record<CommandName, Operation>> = { approve, receive, inspect, refund, complete };

const bodies: Readonly<Record<CommandName, object>> = {
  approve: {},
  receive: { lines: [unit] },
  inspect: { lines: [{ ...unit, outcome: 'accept', disposition: 'restock', deductionBps: 1_000 }] },
  refund: { result: { status: 'succeeded', providerRef: 'psp-{count}' } },
  complete: {},
};

/** Returns the event of a command on the next subject. */
export const eventOfCommand = (name: CommandName): EventText =>
  eventOf(operations[name], { path: { returnId: '{subject.returnId}' }, body: bodies[name] });

type Changed = {
  readonly status: string;
  readonly refundStatus: string;
  readonly refunds: readonly { readonly status: string; readonly amount: object }[];
  readonly lines: readonly { readonly quantities: object }[];
};

/** Returns what is equal for all candidates. Ids and times differ, and the bare candidate repeats a recorded answer. */
export const asChanged = (body: unknown) => {
  const { status, refundStatus, refunds, lines } = body as Changed;
  return {
    status,
    refundStatus,
    refunds: refunds.map((refund) => [refund.status, refund.amount]),
    lines: lines.map(({ quantities }) => quantities),
  };
};
