/* The port's side that forwards every operation to the Returns Service. */
import * as operations from '../contract/operations.ts';
import type { Input } from '../contract/schemas.ts';
import { forward } from './forward.ts';
import type { Call } from '../contract/port.ts';
import { soon } from '../contract/soon.ts';

export { asyncapi } from './service-events.ts';
export { getDelivery } from '../inbox/operations/get-delivery.ts';
export { listDeliveries } from '../inbox/operations/list-deliveries.ts';
export { redrive } from '../inbox/operations/redrive.ts';
export { replay } from '../inbox/operations/replay.ts';
export { replayRange } from '../inbox/operations/replay-range.ts';
export { openapi } from './openapi.ts';

export const registerOrder = (input: Input<'registerOrder'>, call: Call) =>
  forward(operations.registerOrder, input, call);

export const getOrder = (input: Input<'getOrder'>, call: Call) => forward(operations.getOrder, input, call);

export const getReturnable = (input: Input<'getReturnable'>, call: Call) =>
  forward(operations.getReturnable, input, call);

export const recordRefund = (input: Input<'recordRefund'>, call: Call) => forward(operations.recordRefund, input, call);

export const createReturn = (input: Input<'createReturn'>, call: Call) => forward(operations.createReturn, input, call);

export const listReturns = (input: Input<'listReturns'>, call: Call) => forward(operations.listReturns, input, call);

export const getReturn = (input: Input<'getReturn'>, call: Call) => forward(operations.getReturn, input, call);

export const updateReturn = (input: Input<'updateReturn'>, call: Call) => forward(operations.updateReturn, input, call);

export const approve = (input: Input<'approve'>, call: Call) => forward(operations.approve, input, call);

export const reject = (input: Input<'reject'>, call: Call) => forward(operations.reject, input, call);

export const requestInfo = (input: Input<'requestInfo'>, call: Call) => forward(operations.requestInfo, input, call);

export const provideInfo = (input: Input<'provideInfo'>, call: Call) => forward(operations.provideInfo, input, call);

export const addParcel = (input: Input<'addParcel'>, call: Call) => forward(operations.addParcel, input, call);

export const updateParcel = (input: Input<'updateParcel'>, call: Call) => forward(operations.updateParcel, input, call);

export const receive = (input: Input<'receive'>, call: Call) => forward(operations.receive, input, call);

export const closeReceipt = (input: Input<'closeReceipt'>, call: Call) => forward(operations.closeReceipt, input, call);

export const inspect = (input: Input<'inspect'>, call: Call) => forward(operations.inspect, input, call);

export const grant = (input: Input<'grant'>, call: Call) => forward(operations.grant, input, call);

export const refund = (input: Input<'refund'>, call: Call) => forward(operations.refund, input, call);

export const recordRefundResult = (input: Input<'recordRefundResult'>, call: Call) =>
  forward(operations.recordRefundResult, input, call);

export const exchange = (input: Input<'exchange'>, call: Call) => forward(operations.exchange, input, call);

export const exchangeResult = (input: Input<'exchangeResult'>, call: Call) =>
  forward(operations.exchangeResult, input, call);

export const remindRefund = (input: Input<'remindRefund'>, call: Call) => forward(operations.remindRefund, input, call);

export const waiveFee = (input: Input<'waiveFee'>, call: Call) => forward(operations.waiveFee, input, call);

export const recordRecovery = (input: Input<'recordRecovery'>, call: Call) =>
  forward(operations.recordRecovery, input, call);

export const writeOffRecovery = (input: Input<'writeOffRecovery'>, call: Call) =>
  forward(operations.writeOffRecovery, input, call);

export const complete = (input: Input<'complete'>, call: Call) => forward(operations.complete, input, call);

export const cancel = (input: Input<'cancel'>, call: Call) => forward(operations.cancel, input, call);

export const expire = (input: Input<'expire'>, call: Call) => forward(operations.expire, input, call);

export const reopen = (input: Input<'reopen'>, call: Call) => forward(operations.reopen, input, call);

export const correct = (input: Input<'correct'>, call: Call) => forward(operations.correct, input, call);

export const addNote = (input: Input<'addNote'>, call: Call) => forward(operations.addNote, input, call);

export const addAttachment = (input: Input<'addAttachment'>, call: Call) =>
  forward(operations.addAttachment, input, call);

export const getHistory = (input: Input<'getHistory'>, call: Call) => forward(operations.getHistory, input, call);

export const verifyHistory = (input: Input<'verifyHistory'>, call: Call) =>
  forward(operations.verifyHistory, input, call);

export const quoteReturn = (input: Input<'quoteReturn'>, call: Call) => forward(operations.quoteReturn, input, call);

export const getDecision = (input: Input<'getDecision'>, call: Call) => forward(operations.getDecision, input, call);

export const listPolicies = (input: Input<'listPolicies'>, call: Call) => forward(operations.listPolicies, input, call);

export const getPolicy = (input: Input<'getPolicy'>, call: Call) => forward(operations.getPolicy, input, call);

export const listVersions = (input: Input<'listVersions'>, call: Call) => forward(operations.listVersions, input, call);

export const getVersion = (input: Input<'getVersion'>, call: Call) => forward(operations.getVersion, input, call);

export const diffVersions = (input: Input<'diffVersions'>, call: Call) => forward(operations.diffVersions, input, call);

export const createPolicy = (input: Input<'createPolicy'>, call: Call) => forward(operations.createPolicy, input, call);

export const saveDraft = (input: Input<'saveDraft'>, call: Call) => forward(operations.saveDraft, input, call);

export const lintDraft = (input: Input<'lintDraft'>, call: Call) => forward(operations.lintDraft, input, call);

export const testDraft = (input: Input<'testDraft'>, call: Call) => forward(operations.testDraft, input, call);

export const backtestDraft = (input: Input<'backtestDraft'>, call: Call) =>
  forward(operations.backtestDraft, input, call);

export const shadowDraft = (input: Input<'shadowDraft'>, call: Call) => forward(operations.shadowDraft, input, call);

export const publish = (input: Input<'publish'>, call: Call) => forward(operations.publish, input, call);

export const archive = (input: Input<'archive'>, call: Call) => forward(operations.archive, input, call);

export const listReasons = (input: Input<'listReasons'>, call: Call) => forward(operations.listReasons, input, call);

export const putReason = (input: Input<'putReason'>, call: Call) => forward(operations.putReason, input, call);

export const createExport = (input: Input<'createExport'>, call: Call) => forward(operations.createExport, input, call);
export const eraseCustomer = (input: Input<'eraseCustomer'>, call: Call) =>
  forward(operations.eraseCustomer, input, call);
export const listJobs = (input: Input<'listJobs'>, call: Call) => forward(operations.listJobs, input, call);

export const getJob = (input: Input<'getJob'>, call: Call) => forward(operations.getJob, input, call);

export const cancelJob = (input: Input<'cancelJob'>, call: Call) => forward(operations.cancelJob, input, call);

export const listEvents = (input: Input<'listEvents'>, call: Call) => forward(operations.listEvents, input, call);

export const createWebhookEndpoint = (input: Input<'createWebhookEndpoint'>, call: Call) =>
  forward(operations.createWebhookEndpoint, input, call);

export const listWebhookEndpoints = (input: Input<'listWebhookEndpoints'>, call: Call) =>
  forward(operations.listWebhookEndpoints, input, call);

export const getWebhookEndpoint = (input: Input<'getWebhookEndpoint'>, call: Call) =>
  forward(operations.getWebhookEndpoint, input, call);

export const updateWebhookEndpoint = (input: Input<'updateWebhookEndpoint'>, call: Call) =>
  forward(operations.updateWebhookEndpoint, input, call);

export const deleteWebhookEndpoint = (input: Input<'deleteWebhookEndpoint'>, call: Call) =>
  forward(operations.deleteWebhookEndpoint, input, call);

export const rotateWebhookSecret = (input: Input<'rotateWebhookSecret'>, call: Call) =>
  forward(operations.rotateWebhookSecret, input, call);

export const testWebhookEndpoint = (input: Input<'testWebhookEndpoint'>, call: Call) =>
  forward(operations.testWebhookEndpoint, input, call);

export const listWebhookDeliveries = (input: Input<'listWebhookDeliveries'>, call: Call) =>
  forward(operations.listWebhookDeliveries, input, call);

export const getWebhookDelivery = (input: Input<'getWebhookDelivery'>, call: Call) =>
  forward(operations.getWebhookDelivery, input, call);

export const redeliverWebhook = (input: Input<'redeliverWebhook'>, call: Call) =>
  forward(operations.redeliverWebhook, input, call);

export const redeliverWebhooks = (input: Input<'redeliverWebhooks'>, call: Call) =>
  forward(operations.redeliverWebhooks, input, call);
export const getSummary = (input: Input<'getSummary'>, call: Call) => forward(operations.getSummary, input, call);

export const getAnalytics = (input: Input<'getAnalytics'>, call: Call) => forward(operations.getAnalytics, input, call);

export const health = (input: Input<'health'>, call: Call) => forward(operations.health, input, soon(call));
