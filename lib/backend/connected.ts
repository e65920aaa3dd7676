/* The port's side that forwards every operation to the Returns Service. */
import * as operations from '../contract/operations.ts';
import type { Input } from '../contract/schemas.ts';
import { forward } from './connected/forward.ts';
import type { Call } from './port.ts';
import { soon } from './soon.ts';

export { getDelivery } from './inbox/get-delivery.ts';
export { listDeliveries } from './inbox/list-deliveries.ts';
export { redrive } from './inbox/redrive.ts';
export { replay } from './inbox/replay.ts';
export { replayRange } from './inbox/replay-range.ts';
export { openapi } from './openapi.ts';

export const registerOrder = async (input: Input<'registerOrder'>, call: Call) =>
  forward(operations.registerOrder, input, call);

export const getOrder = async (input: Input<'getOrder'>, call: Call) => forward(operations.getOrder, input, call);

export const getReturnable = async (input: Input<'getReturnable'>, call: Call) =>
  forward(operations.getReturnable, input, call);

export const recordRefund = async (input: Input<'recordRefund'>, call: Call) =>
  forward(operations.recordRefund, input, call);

export const createReturn = async (input: Input<'createReturn'>, call: Call) =>
  forward(operations.createReturn, input, call);

export const listReturns = async (input: Input<'listReturns'>, call: Call) =>
  forward(operations.listReturns, input, call);

export const getReturn = async (input: Input<'getReturn'>, call: Call) => forward(operations.getReturn, input, call);

export const updateReturn = async (input: Input<'updateReturn'>, call: Call) =>
  forward(operations.updateReturn, input, call);

export const approve = async (input: Input<'approve'>, call: Call) => forward(operations.approve, input, call);

export const reject = async (input: Input<'reject'>, call: Call) => forward(operations.reject, input, call);

export const requestInfo = async (input: Input<'requestInfo'>, call: Call) =>
  forward(operations.requestInfo, input, call);

export const provideInfo = async (input: Input<'provideInfo'>, call: Call) =>
  forward(operations.provideInfo, input, call);

export const addParcel = async (input: Input<'addParcel'>, call: Call) => forward(operations.addParcel, input, call);

export const updateParcel = async (input: Input<'updateParcel'>, call: Call) =>
  forward(operations.updateParcel, input, call);

export const receive = async (input: Input<'receive'>, call: Call) => forward(operations.receive, input, call);

export const closeReceipt = async (input: Input<'closeReceipt'>, call: Call) =>
  forward(operations.closeReceipt, input, call);

export const inspect = async (input: Input<'inspect'>, call: Call) => forward(operations.inspect, input, call);

export const grant = async (input: Input<'grant'>, call: Call) => forward(operations.grant, input, call);

export const refund = async (input: Input<'refund'>, call: Call) => forward(operations.refund, input, call);

export const recordRefundResult = async (input: Input<'recordRefundResult'>, call: Call) =>
  forward(operations.recordRefundResult, input, call);

export const exchange = async (input: Input<'exchange'>, call: Call) => forward(operations.exchange, input, call);

export const exchangeResult = async (input: Input<'exchangeResult'>, call: Call) =>
  forward(operations.exchangeResult, input, call);

export const remindRefund = async (input: Input<'remindRefund'>, call: Call) =>
  forward(operations.remindRefund, input, call);

export const waiveFee = async (input: Input<'waiveFee'>, call: Call) => forward(operations.waiveFee, input, call);

export const recordRecovery = async (input: Input<'recordRecovery'>, call: Call) =>
  forward(operations.recordRecovery, input, call);

export const writeOffRecovery = async (input: Input<'writeOffRecovery'>, call: Call) =>
  forward(operations.writeOffRecovery, input, call);

export const complete = async (input: Input<'complete'>, call: Call) => forward(operations.complete, input, call);

export const cancel = async (input: Input<'cancel'>, call: Call) => forward(operations.cancel, input, call);

export const expire = async (input: Input<'expire'>, call: Call) => forward(operations.expire, input, call);

export const reopen = async (input: Input<'reopen'>, call: Call) => forward(operations.reopen, input, call);

export const correct = async (input: Input<'correct'>, call: Call) => forward(operations.correct, input, call);

export const addNote = async (input: Input<'addNote'>, call: Call) => forward(operations.addNote, input, call);

export const addAttachment = async (input: Input<'addAttachment'>, call: Call) =>
  forward(operations.addAttachment, input, call);

export const getHistory = async (input: Input<'getHistory'>, call: Call) => forward(operations.getHistory, input, call);

export const verifyHistory = async (input: Input<'verifyHistory'>, call: Call) =>
  forward(operations.verifyHistory, input, call);

export const quoteReturn = async (input: Input<'quoteReturn'>, call: Call) =>
  forward(operations.quoteReturn, input, call);

export const getDecision = async (input: Input<'getDecision'>, call: Call) =>
  forward(operations.getDecision, input, call);

export const listPolicies = async (input: Input<'listPolicies'>, call: Call) =>
  forward(operations.listPolicies, input, call);

export const getPolicy = async (input: Input<'getPolicy'>, call: Call) => forward(operations.getPolicy, input, call);

export const listVersions = async (input: Input<'listVersions'>, call: Call) =>
  forward(operations.listVersions, input, call);

export const getVersion = async (input: Input<'getVersion'>, call: Call) => forward(operations.getVersion, input, call);

export const diffVersions = async (input: Input<'diffVersions'>, call: Call) =>
  forward(operations.diffVersions, input, call);

export const createPolicy = async (input: Input<'createPolicy'>, call: Call) =>
  forward(operations.createPolicy, input, call);

export const saveDraft = async (input: Input<'saveDraft'>, call: Call) => forward(operations.saveDraft, input, call);

export const lintDraft = async (input: Input<'lintDraft'>, call: Call) => forward(operations.lintDraft, input, call);

export const testDraft = async (input: Input<'testDraft'>, call: Call) => forward(operations.testDraft, input, call);

export const backtestDraft = async (input: Input<'backtestDraft'>, call: Call) =>
  forward(operations.backtestDraft, input, call);

export const shadowDraft = async (input: Input<'shadowDraft'>, call: Call) =>
  forward(operations.shadowDraft, input, call);

export const publish = async (input: Input<'publish'>, call: Call) => forward(operations.publish, input, call);

export const archive = async (input: Input<'archive'>, call: Call) => forward(operations.archive, input, call);

export const listReasons = async (input: Input<'listReasons'>, call: Call) =>
  forward(operations.listReasons, input, call);

export const putReason = async (input: Input<'putReason'>, call: Call) => forward(operations.putReason, input, call);

export const createExport = async (input: Input<'createExport'>, call: Call) =>
  forward(operations.createExport, input, call);
export const eraseCustomer = async (input: Input<'eraseCustomer'>, call: Call) =>
  forward(operations.eraseCustomer, input, call);
export const getJob = async (input: Input<'getJob'>, call: Call) => forward(operations.getJob, input, call);

export const cancelJob = async (input: Input<'cancelJob'>, call: Call) => forward(operations.cancelJob, input, call);

export const listEvents = async (input: Input<'listEvents'>, call: Call) => forward(operations.listEvents, input, call);

export const createWebhookEndpoint = async (input: Input<'createWebhookEndpoint'>, call: Call) =>
  forward(operations.createWebhookEndpoint, input, call);

export const listWebhookEndpoints = async (input: Input<'listWebhookEndpoints'>, call: Call) =>
  forward(operations.listWebhookEndpoints, input, call);

export const getWebhookEndpoint = async (input: Input<'getWebhookEndpoint'>, call: Call) =>
  forward(operations.getWebhookEndpoint, input, call);

export const updateWebhookEndpoint = async (input: Input<'updateWebhookEndpoint'>, call: Call) =>
  forward(operations.updateWebhookEndpoint, input, call);

export const deleteWebhookEndpoint = async (input: Input<'deleteWebhookEndpoint'>, call: Call) =>
  forward(operations.deleteWebhookEndpoint, input, call);

export const rotateWebhookSecret = async (input: Input<'rotateWebhookSecret'>, call: Call) =>
  forward(operations.rotateWebhookSecret, input, call);

export const testWebhookEndpoint = async (input: Input<'testWebhookEndpoint'>, call: Call) =>
  forward(operations.testWebhookEndpoint, input, call);

export const listWebhookDeliveries = async (input: Input<'listWebhookDeliveries'>, call: Call) =>
  forward(operations.listWebhookDeliveries, input, call);

export const getWebhookDelivery = async (input: Input<'getWebhookDelivery'>, call: Call) =>
  forward(operations.getWebhookDelivery, input, call);

export const redeliverWebhook = async (input: Input<'redeliverWebhook'>, call: Call) =>
  forward(operations.redeliverWebhook, input, call);

export const redeliverWebhooks = async (input: Input<'redeliverWebhooks'>, call: Call) =>
  forward(operations.redeliverWebhooks, input, call);
export const getSummary = async (input: Input<'getSummary'>, call: Call) => forward(operations.getSummary, input, call);

export const getAnalytics = async (input: Input<'getAnalytics'>, call: Call) =>
  forward(operations.getAnalytics, input, call);

export const health = async (input: Input<'health'>, call: Call) => forward(operations.health, input, soon(call));
