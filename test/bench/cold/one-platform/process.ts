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
import { checkedBackend } from '../../../../lib/inbox/backend.ts';
import { processInbox } from '../../../../lib/inbox/process.ts';
import { translator as shopify } from '../../../../lib/platforms/shopify/platform.ts';
import { readConfiguration } from '../../../../lib/runtime/container.ts';
import { withInvocation } from '../../../../lib/runtime/invocation.ts';

/* functions/queues/process.ts with one platform, as the build wraps it. */

const goods = { addParcel, receive, closeReceipt, inspect, correct };
const life = { createReturn, getReturn, listReturns, approve, reject, cancel, reopen, complete };
const withdrawals = { declareWithdrawal, getWithdrawal, matchWithdrawal };
const backend = checkedBackend({ ...life, ...goods, ...withdrawals, registerOrder, recordRefund });

readConfiguration();
export const handler = withInvocation(processInbox(backend, { shopify }));
