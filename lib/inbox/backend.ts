import * as addParcel from '#validators/addParcel';
import * as approve from '#validators/approve';
import * as cancel from '#validators/cancel';
import * as closeReceipt from '#validators/closeReceipt';
import * as complete from '#validators/complete';
import * as correct from '#validators/correct';
import * as createReturn from '#validators/createReturn';
import * as declareWithdrawal from '#validators/declareWithdrawal';
import * as getReturn from '#validators/getReturn';
import * as getWithdrawal from '#validators/getWithdrawal';
import * as inspect from '#validators/inspect';
import * as listReturns from '#validators/listReturns';
import * as matchWithdrawal from '#validators/matchWithdrawal';
import * as receive from '#validators/receive';
import * as recordRefund from '#validators/recordRefund';
import * as registerOrder from '#validators/registerOrder';
import * as reject from '#validators/reject';
import * as reopen from '#validators/reopen';
import type { Backend } from '../contract/port.ts';
import * as operations from '../contract/operations.ts';
import { withValidation } from '../http/with-validation.ts';

/** The operations that process deliveries, each with its validators. */
const entryPoints = {
  addParcel: [operations.addParcel, addParcel],
  approve: [operations.approve, approve],
  cancel: [operations.cancel, cancel],
  closeReceipt: [operations.closeReceipt, closeReceipt],
  complete: [operations.complete, complete],
  correct: [operations.correct, correct],
  createReturn: [operations.createReturn, createReturn],
  declareWithdrawal: [operations.declareWithdrawal, declareWithdrawal],
  getReturn: [operations.getReturn, getReturn],
  getWithdrawal: [operations.getWithdrawal, getWithdrawal],
  inspect: [operations.inspect, inspect],
  listReturns: [operations.listReturns, listReturns],
  matchWithdrawal: [operations.matchWithdrawal, matchWithdrawal],
  receive: [operations.receive, receive],
  recordRefund: [operations.recordRefund, recordRefund],
  registerOrder: [operations.registerOrder, registerOrder],
  reject: [operations.reject, reject],
  reopen: [operations.reopen, reopen],
} as const;

type Name = keyof typeof entryPoints;

/** The part of the backend that processes deliveries. */
export type InboxBackend = Pick<Backend, Name>;

/** Returns a backend whose operations validate their input like requests over HTTP. */
export const checkedBackend = (backend: InboxBackend): InboxBackend => {
  const names = Object.keys(entryPoints) as Name[];
  const entries = names.map((name) => {
    const [operation, validators] = entryPoints[name];
    return [name, withValidation<Name>(operation, validators, backend[name])];
  });
  return Object.fromEntries(entries) as InboxBackend;
};
