import { expect, expectTypeOf, it } from 'vitest';
import type * as connected from '../../lib/backend/connected.ts';
import type { Backend } from '../../lib/contract/port.ts';
import type * as standalone from '../../lib/backend/standalone.ts';
import * as operations from '../../lib/contract/operations.ts';
import { schemas } from '../../lib/contract/schemas.ts';
import type * as connectedDoctor from '../../lib/doctor/connected.ts';
import type * as standaloneDoctor from '../../lib/doctor/standalone.ts';

/** Fails to compile when a side lacks an operation, or takes or answers something else. */
type Side<Functions extends Backend> = Functions;
type Sides = [Side<typeof connected>, Side<typeof standalone>];

it('has both sides answer every operation of the contract', () => {
  const names: Record<keyof Sides[number], string> = {
    registerOrder: 'registerOrder',
    getOrder: 'getOrder',
    getReturnable: 'getReturnable',
    recordRefund: 'recordRefund',
    createReturn: 'createReturn',
    listReturns: 'listReturns',
    getReturn: 'getReturn',
    updateReturn: 'updateReturn',
    approve: 'approve',
    reject: 'reject',
    requestInfo: 'requestInfo',
    provideInfo: 'provideInfo',
    addParcel: 'addParcel',
    updateParcel: 'updateParcel',
    receive: 'receive',
    closeReceipt: 'closeReceipt',
    inspect: 'inspect',
    grant: 'grant',
    refund: 'refund',
    recordRefundResult: 'recordRefundResult',
    exchange: 'exchange',
    exchangeResult: 'exchangeResult',
    remindRefund: 'remindRefund',
    waiveFee: 'waiveFee',
    recordRecovery: 'recordRecovery',
    writeOffRecovery: 'writeOffRecovery',
    complete: 'complete',
    cancel: 'cancel',
    expire: 'expire',
    reopen: 'reopen',
    correct: 'correct',
    addNote: 'addNote',
    addAttachment: 'addAttachment',
    getHistory: 'getHistory',
    verifyHistory: 'verifyHistory',
    quoteReturn: 'quoteReturn',
    getDecision: 'getDecision',
    listPolicies: 'listPolicies',
    getPolicy: 'getPolicy',
    listVersions: 'listVersions',
    getVersion: 'getVersion',
    diffVersions: 'diffVersions',
    createPolicy: 'createPolicy',
    saveDraft: 'saveDraft',
    lintDraft: 'lintDraft',
    testDraft: 'testDraft',
    backtestDraft: 'backtestDraft',
    shadowDraft: 'shadowDraft',
    publish: 'publish',
    archive: 'archive',
    listReasons: 'listReasons',
    putReason: 'putReason',
    createExport: 'createExport',
    eraseCustomer: 'eraseCustomer',
    getJob: 'getJob',
    cancelJob: 'cancelJob',
    listEvents: 'listEvents',
    getSummary: 'getSummary',
    getAnalytics: 'getAnalytics',
    listDeliveries: 'listDeliveries',
    getDelivery: 'getDelivery',
    replay: 'replay',
    replayRange: 'replayRange',
    redrive: 'redrive',
    createWebhookEndpoint: 'createWebhookEndpoint',
    listWebhookEndpoints: 'listWebhookEndpoints',
    getWebhookEndpoint: 'getWebhookEndpoint',
    updateWebhookEndpoint: 'updateWebhookEndpoint',
    deleteWebhookEndpoint: 'deleteWebhookEndpoint',
    rotateWebhookSecret: 'rotateWebhookSecret',
    testWebhookEndpoint: 'testWebhookEndpoint',
    listWebhookDeliveries: 'listWebhookDeliveries',
    getWebhookDelivery: 'getWebhookDelivery',
    redeliverWebhook: 'redeliverWebhook',
    redeliverWebhooks: 'redeliverWebhooks',
    health: 'health',
    listJobs: 'listJobs',
    asyncapi: 'asyncapi',
    openapi: 'openapi',
  };
  expect(Object.keys(names).toSorted()).toEqual(Object.keys(operations).toSorted());
  expect(Object.keys(schemas).toSorted()).toEqual(Object.keys(operations).toSorted());
});

it('never lets a field of path, query and body have the same name', () => {
  for (const { path, query, body } of Object.values(schemas)) {
    const names = [path, query, body].flatMap(({ properties }) => Object.keys(properties));
    expect(new Set(names).size).toBe(names.length);
  }
});

it('lists in each operation the query parameters that its schema has', () => {
  for (const operation of Object.values(operations)) {
    expect(Object.keys(schemas[operation.name].query.properties).toSorted()).toEqual([...operation.query].toSorted());
  }
});

// `npm run check` compiles the handlers against the connected side only. This fails there when the other side differs.
it('has the same types on both sides', () => {
  expectTypeOf<typeof standalone>().toExtend<typeof connected>();
  expectTypeOf<typeof standaloneDoctor>().toExtend<typeof connectedDoctor>();
});
