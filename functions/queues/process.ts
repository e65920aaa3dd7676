import {
  addParcel,
  approve,
  cancel,
  closeReceipt,
  complete,
  correct,
  createReturn,
  declareWithdrawal,
  getReturn,
  getWithdrawal,
  inspect,
  listReturns,
  matchWithdrawal,
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
const withdrawals = { declareWithdrawal, getWithdrawal, matchWithdrawal };

export const handler = processInbox(
  checkedBackend({ ...life, ...goods, ...withdrawals, registerOrder, recordRefund }),
  translators,
);
