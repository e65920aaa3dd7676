import {
  addParcel,
  approve,
  cancel,
  closeReceipt,
  complete,
  correct,
  createReturn,
  getReturn,
  inspect,
  listReturns,
  receive,
  recordRefund,
  registerOrder,
  reject,
  reopen,
} from '#backend';
import { checkedBackend } from '../../lib/inbox/backend.ts';
import { processInbox } from '../../lib/inbox/process.ts';
import { translators } from '../../lib/platforms/translators.ts';

const goods = { addParcel, receive, closeReceipt, inspect, correct };
const life = { createReturn, getReturn, listReturns, approve, reject, cancel, reopen, complete };

export const handler = processInbox(checkedBackend({ ...life, ...goods, registerOrder, recordRefund }), translators);
