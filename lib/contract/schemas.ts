import type Type from 'typebox';
import { History, HistoryVerification } from './returns/history.ts';
import { AddedAttachment, NewAttachment } from './returns/evidence.ts';
import { ExchangePath, ExchangeResult, NewExchange } from './returns/exchange.ts';
import type * as operations from './operations.ts';
import { Order, OrderFacts, OrderPath, Returnable } from './orders/order.ts';
import {
  Approval,
  Cancellation,
  Completion,
  Correction,
  InfoAnswer,
  NewNote,
  Question,
  RejectionRequest,
  Reopening,
  ReturnPatch,
} from './returns/commands.ts';
import {
  Grant,
  InspectionReport,
  NewParcel,
  ParcelPatch,
  ParcelPath,
  Receipt,
  ReceiptClosing,
} from './returns/goods-commands.ts';
import {
  FeePath,
  FeeWaiver,
  RecoveryFacts,
  RefundOfReturnPath,
  RefundOrder,
  RefundResult,
  WriteOff,
} from './returns/money.ts';
import { Decision, DecisionPath } from './decisions/decision.ts';
import {
  Delivery,
  DeliveryList,
  DeliveryPath,
  DeliveryQuery,
  DeliverySummary,
  Redrive,
  Redriven,
  ReplayedRange,
  ReplayRange,
} from './inbox/inbox.ts';
import { EventList, EventQuery } from './events/events.ts';
import {
  Backtest,
  BacktestJob,
  ErasureJob,
  ExportJob,
  Job,
  JobList,
  JobPath,
  JobQuery,
  NewErasure,
  NewExport,
} from './jobs/job.ts';
import {
  Archiving,
  DiffQuery,
  Draft,
  NewPolicy,
  Policy,
  PolicyDiff,
  PolicyLint,
  PolicyList,
  PolicyPath,
  PolicyTest,
  PolicyVersion,
  PolicyVersionList,
  PolicyVersionPath,
  Publication,
  PublishedPolicyVersion,
  Shadowing,
} from './policies/policy-life.ts';
import { Quote, QuoteRequest } from './returns/quote.ts';
import { ReasonDefinition, ReasonFacts, ReasonList, ReasonPath, ReasonQuery } from './reasons/reasons.ts';
import { Refund, RefundFacts, RefundPath } from './returns/refund.ts';
import { AsOfQuery, NewReturn, Return, ReturnPath } from './returns/return.ts';
import { ReturnList, ReturnQuery } from './returns/return-list.ts';
import { closed, PageQuery } from './scalars.ts';
import { AsyncApiDocument, Health, OpenApiDocument } from './service/service.ts';
import {
  EndpointDeliveryPath,
  EndpointPath,
  NewWebhookEndpoint,
  Redelivered,
  Redelivery,
  SecretRotation,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryQuery,
  WebhookDeliverySummary,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointPatch,
  WebhookEndpointWithSecret,
  WebhookTest,
} from './webhook-endpoints/webhook-endpoint.ts';
import { Analytics, AnalyticsQuery, Summary } from './statistics/statistics.ts';

const nothing = closed({});

/** What operations answer with: one thing, or one of several kinds. */
export type Answer = Type.TObject | Type.TUnion;

/** What each operation takes in its path, its query and its body, and what it answers with. */
export const schemas = {
  registerOrder: { path: OrderPath, query: nothing, body: OrderFacts, output: Order },
  getOrder: { path: OrderPath, query: nothing, body: nothing, output: Order },
  getReturnable: { path: OrderPath, query: nothing, body: nothing, output: Returnable },
  recordRefund: { path: RefundPath, query: nothing, body: RefundFacts, output: Refund },
  createReturn: { path: nothing, query: nothing, body: NewReturn, output: Return },
  listReturns: { path: nothing, query: ReturnQuery, body: nothing, output: ReturnList },
  getReturn: { path: ReturnPath, query: AsOfQuery, body: nothing, output: Return },
  updateReturn: { path: ReturnPath, query: nothing, body: ReturnPatch, output: Return },
  approve: { path: ReturnPath, query: nothing, body: Approval, output: Return },
  reject: { path: ReturnPath, query: nothing, body: RejectionRequest, output: Return },
  requestInfo: { path: ReturnPath, query: nothing, body: Question, output: Return },
  provideInfo: { path: ReturnPath, query: nothing, body: InfoAnswer, output: Return },
  addParcel: { path: ReturnPath, query: nothing, body: NewParcel, output: Return },
  updateParcel: { path: ParcelPath, query: nothing, body: ParcelPatch, output: Return },
  receive: { path: ReturnPath, query: nothing, body: Receipt, output: Return },
  closeReceipt: { path: ReturnPath, query: nothing, body: ReceiptClosing, output: Return },
  inspect: { path: ReturnPath, query: nothing, body: InspectionReport, output: Return },
  grant: { path: ReturnPath, query: nothing, body: Grant, output: Return },
  refund: { path: ReturnPath, query: nothing, body: RefundOrder, output: Return },
  recordRefundResult: { path: RefundOfReturnPath, query: nothing, body: RefundResult, output: Return },
  exchange: { path: ReturnPath, query: nothing, body: NewExchange, output: Return },
  exchangeResult: { path: ExchangePath, query: nothing, body: ExchangeResult, output: Return },
  remindRefund: { path: ReturnPath, query: nothing, body: nothing, output: Return },
  waiveFee: { path: FeePath, query: nothing, body: FeeWaiver, output: Return },
  recordRecovery: { path: ReturnPath, query: nothing, body: RecoveryFacts, output: Return },
  writeOffRecovery: { path: ReturnPath, query: nothing, body: WriteOff, output: Return },
  complete: { path: ReturnPath, query: nothing, body: Completion, output: Return },
  cancel: { path: ReturnPath, query: nothing, body: Cancellation, output: Return },
  expire: { path: ReturnPath, query: nothing, body: nothing, output: Return },
  reopen: { path: ReturnPath, query: nothing, body: Reopening, output: Return },
  correct: { path: ReturnPath, query: nothing, body: Correction, output: Return },
  addNote: { path: ReturnPath, query: nothing, body: NewNote, output: Return },
  addAttachment: { path: ReturnPath, query: nothing, body: NewAttachment, output: AddedAttachment },
  getHistory: { path: ReturnPath, query: PageQuery, body: nothing, output: History },
  verifyHistory: { path: ReturnPath, query: nothing, body: nothing, output: HistoryVerification },
  quoteReturn: { path: nothing, query: nothing, body: QuoteRequest, output: Quote },
  getDecision: { path: DecisionPath, query: nothing, body: nothing, output: Decision },
  listPolicies: { path: nothing, query: PageQuery, body: nothing, output: PolicyList },
  getPolicy: { path: PolicyPath, query: nothing, body: nothing, output: Policy },
  listVersions: { path: PolicyPath, query: PageQuery, body: nothing, output: PolicyVersionList },
  getVersion: { path: PolicyVersionPath, query: nothing, body: nothing, output: PolicyVersion },
  diffVersions: { path: PolicyPath, query: DiffQuery, body: nothing, output: PolicyDiff },
  createPolicy: { path: nothing, query: nothing, body: NewPolicy, output: PolicyVersion },
  saveDraft: { path: PolicyPath, query: nothing, body: Draft, output: PolicyVersion },
  lintDraft: { path: PolicyPath, query: nothing, body: nothing, output: PolicyLint },
  testDraft: { path: PolicyPath, query: nothing, body: nothing, output: PolicyTest },
  backtestDraft: { path: PolicyPath, query: nothing, body: Backtest, output: BacktestJob },
  shadowDraft: { path: PolicyPath, query: nothing, body: Shadowing, output: PolicyVersion },
  publish: { path: PolicyPath, query: nothing, body: Publication, output: PublishedPolicyVersion },
  archive: { path: PolicyPath, query: nothing, body: Archiving, output: Policy },
  listReasons: { path: nothing, query: ReasonQuery, body: nothing, output: ReasonList },
  putReason: { path: ReasonPath, query: nothing, body: ReasonFacts, output: ReasonDefinition },
  createExport: { path: nothing, query: nothing, body: NewExport, output: ExportJob },
  eraseCustomer: { path: nothing, query: nothing, body: NewErasure, output: ErasureJob },
  listJobs: { path: nothing, query: JobQuery, body: nothing, output: JobList },
  getJob: { path: JobPath, query: nothing, body: nothing, output: Job },
  cancelJob: { path: JobPath, query: nothing, body: nothing, output: Job },
  listEvents: { path: nothing, query: EventQuery, body: nothing, output: EventList },
  getSummary: { path: nothing, query: nothing, body: nothing, output: Summary },
  getAnalytics: { path: nothing, query: AnalyticsQuery, body: nothing, output: Analytics },
  listDeliveries: { path: nothing, query: DeliveryQuery, body: nothing, output: DeliveryList },
  getDelivery: { path: DeliveryPath, query: nothing, body: nothing, output: Delivery },
  replay: { path: DeliveryPath, query: nothing, body: nothing, output: DeliverySummary },
  replayRange: { path: nothing, query: nothing, body: ReplayRange, output: ReplayedRange },
  redrive: { path: nothing, query: nothing, body: Redrive, output: Redriven },
  createWebhookEndpoint: {
    path: nothing,
    query: nothing,
    body: NewWebhookEndpoint,
    output: WebhookEndpointWithSecret,
  },
  listWebhookEndpoints: { path: nothing, query: nothing, body: nothing, output: WebhookEndpointList },
  getWebhookEndpoint: { path: EndpointPath, query: nothing, body: nothing, output: WebhookEndpoint },
  updateWebhookEndpoint: { path: EndpointPath, query: nothing, body: WebhookEndpointPatch, output: WebhookEndpoint },
  deleteWebhookEndpoint: { path: EndpointPath, query: nothing, body: nothing, output: WebhookEndpoint },
  rotateWebhookSecret: { path: EndpointPath, query: nothing, body: SecretRotation, output: WebhookEndpointWithSecret },
  testWebhookEndpoint: { path: EndpointPath, query: nothing, body: nothing, output: WebhookTest },
  listWebhookDeliveries: {
    path: EndpointPath,
    query: WebhookDeliveryQuery,
    body: nothing,
    output: WebhookDeliveryList,
  },
  getWebhookDelivery: { path: EndpointDeliveryPath, query: nothing, body: nothing, output: WebhookDelivery },
  redeliverWebhook: { path: EndpointDeliveryPath, query: nothing, body: nothing, output: WebhookDeliverySummary },
  redeliverWebhooks: { path: EndpointPath, query: nothing, body: Redelivery, output: Redelivered },
  health: { path: nothing, query: nothing, body: nothing, output: Health },
  asyncapi: { path: nothing, query: nothing, body: nothing, output: AsyncApiDocument },
  openapi: { path: nothing, query: nothing, body: nothing, output: OpenApiDocument },
} satisfies Record<
  keyof typeof operations,
  { path: Type.TObject; query: Type.TObject; body: Type.TObject; output: Answer }
>;

export type OperationName = keyof typeof schemas;
type Parts<Name extends OperationName> = (typeof schemas)[Name];

type Inputs = {
  [Name in OperationName]: Type.Static<Parts<Name>['path']> &
    Type.Static<Parts<Name>['query']> &
    Type.Static<Parts<Name>['body']>;
};
type Outputs = { [Name in OperationName]: Type.Static<Parts<Name>['output']> };

/** The input of an operation: the fields of path, query and body in one object (their names never clash). */
export type Input<Name extends OperationName> = Inputs[Name];

/** The body of an operation's successful answer. */
export type Output<Name extends OperationName> = Outputs[Name];
