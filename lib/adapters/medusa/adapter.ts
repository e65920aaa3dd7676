import type { Adapter, ServiceAnswer } from '../adapter.ts';
import { pageCursor, pageNumber } from '../cursor.ts';
import { path } from '../path.ts';
import { cancel, findCancelled } from './cancel.ts';
import { createReturn, findCreated } from './create-return.ts';
import { findReceived, receive } from './receive.ts';
import { isCode, listedOf, listFields, read, returnOf } from './return.ts';
import type { MedusaError, Reasons, ReturnsPage, ReturnStatus } from './service.ts';

type Offered = 'getReturn' | 'listReturns' | 'listReasons' | 'createReturn' | 'receive' | 'cancel';

/** The most returns of a page, so that an answer stays small. */
const maxSize = 100;
/** The most reasons that our contract has. */
const maxReasons = 200;

/** Errors whose type is `invalid_data` or `not_found`, as so many others. */
const messages: readonly (readonly [RegExp, string])[] = [
  [/^Order id not found/, 'order_not_found'],
  [/does not exist in order/, 'order_item_not_found'],
  [/more items than what was fulfilled/, 'too_many_units'],
  [/existing active order change/, 'open_change'],
  [/has been canceled/, 'canceled'],
];

const errorIn = ({ status, body }: ServiceAnswer): string | undefined => {
  if (status < 400) return undefined;
  const { type, message = '' } = (body ?? {}) as MedusaError;
  return messages.find(([pattern]) => pattern.test(message))?.[1] ?? type;
};

export const adapter: Adapter<ReturnStatus, Offered> = {
  name: 'medusa',
  title: 'Medusa 2',
  parameters: { ServicePath: '/' },
  states: {
    open: 'requested',
    requested: 'approved',
    partially_received: 'partially_received',
    received: 'received',
    canceled: 'cancelled',
  },
  otherwise: 'requested',
  failures: {
    not_found: 'return_not_found',
    order_not_found: 'order_not_found',
    order_item_not_found: 'order_line_not_found',
    too_many_units: 'quantity_exceeds_returnable',
    open_change: 'invalid_transition',
    canceled: 'invalid_transition',
    not_allowed: 'invalid_transition',
  },
  ownFailures: ['reason_unknown', 'return_line_not_found'],
  errorIn,
  probe: ({ send }) => send({ method: 'GET', path: path`/admin/returns`, query: { fields: 'id', limit: 1 } }),
  operations: {
    getReturn: {
      accepts: [],
      run: async ({ returnId }, service) => returnOf(await read(returnId, service)),
    },
    listReturns: {
      accepts: ['limit', 'cursor', 'orderId'],
      run: async ({ limit = 50, cursor, orderId }, { send }) => {
        const size = Math.min(limit, maxSize);
        const page = pageNumber(cursor, 0, size);
        const { body } = await send<ReturnsPage>({
          method: 'GET',
          path: path`/admin/returns`,
          // An id begins with its time. Medusa fails to sort by a time.
          query: { fields: listFields, order: '-id', limit: size, offset: page * size, order_id: orderId },
        });
        return {
          items: body.returns.map(listedOf),
          next: (page + 1) * size < body.count ? pageCursor(page + 1, size) : undefined,
        };
      },
    },
    listReasons: {
      accepts: [],
      run: async (_, { send }) => {
        const { body } = await send<Reasons>({
          method: 'GET',
          path: path`/admin/return-reasons`,
          query: { fields: 'id,value,label', order: 'value', limit: maxReasons },
        });
        return {
          items: body.return_reasons
            .filter(({ value }) => isCode(value))
            // Medusa keeps no language of a label.
            .map(({ value, label }) => ({ code: value, labels: { und: label } })),
        };
      },
    },
    createReturn: {
      accepts: ['order.orderId', 'lines.orderLineId', 'lines.quantity', 'lines.reason.code', 'lines.reason.note'],
      repeat: { rule: 'read first', find: findCreated },
      run: createReturn,
    },
    receive: {
      accepts: ['lines'],
      repeat: { rule: 'read first', find: findReceived },
      run: receive,
    },
    cancel: {
      accepts: [],
      repeat: { rule: 'read first', find: findCancelled },
      run: cancel,
    },
  },
};
