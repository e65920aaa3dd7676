import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import type { FunctionFile } from '../../../lib/tools/template/function-needs.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { weightOf } from '../../../lib/tools/build/weight.ts';
import * as operations from '../../../lib/contract/operations.ts';
import { sample } from '../../support/samples.ts';
import { functionBundle } from '../../support/bundles.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

/**
 * Maximum bytes of a function, gzip -9: by its name, or by its group where it has no line of its own. Each is 2 to 5 %
 * above the heaviest of its functions when it was written. `node lib/tools/build/sizes.ts` prints the sizes.
 */
const budgets: Readonly<Record<Mode, Readonly<Record<string, number>>>> = {
  connected: {
    read: 129_500,
    getReturn: 130_000,
    command: 130_000,
    amendReturn: 131_000,
    createReturn: 134_000,
    recordRefund: 130_000,
    registerOrder: 134_000,
    // Also the schema of an order.
    importReturn: 143_000,
    openapi: 133_500,
    receiver: 128_500,
    // It also stores withdrawals, and cancels orders at shops.
    process: 248_500,
    sweepInbox: 66_000,
    // Also the subscriptions of the shops.
    reconcilePlatforms: 189_000,
    expireReturns: 138_500,
    remindRefunds: 140_000,
    verifyChains: 139_500,
    purgeInbox: 60_000,
    dailySummary: 134_500,
    doctor: 224_500,
    // Most of it is the compressed page.
    docs: 176_000,
    withdraw: 70_000,
    publishedPolicy: 55_500,
    // Nearly all of it are the compressed files.
    console: 206_000,
    refreshToken: 106_500,
    rotateClientSecret: 103_100,
    listDeadLetters: 77_500,
    redriveDeadLetters: 82_000,
    authorize: 57_000,
    // Half of it is the official SDK, with zod and a validator.
    mcp: 247_000,
  },
  standalone: {
    read: 80_000,
    // Also the quote by which the allowed actions know whether receiveAndRefund pays.
    getReturn: 98_500,
    verifyHistory: 84_500,
    verifyWithdrawalHistory: 88_000,
    listReturns: 85_500,
    listWithdrawals: 81_000,
    command: 117_000,
    createReturn: 152_000,
    // Also the sentences about fees that the law removes, in five languages.
    quoteReturn: 144_000,
    getDecision: 107_000,
    // Also the sentences of a published policy in five languages, and its formats.
    getPolicyText: 114_000,
    // Also the withdrawals that a refund pays.
    recordRefund: 110_500,
    registerOrder: 155_500,
    // Also the schema of an order, and the rules of law that its terms keep.
    importReturn: 159_500,
    matchWithdrawal: 142_500,
    reopen: 146_000,
    amendReturn: 151_500,
    getJob: 82_500,
    publish: 108_000,
    listWebhookDeliveries: 81_000,
    testWebhookEndpoint: 121_000,
    openapi: 133_500,
    receiver: 128_500,
    // Also the receipts and the effects of withdrawals that platforms report.
    process: 331_500,
    sweepInbox: 66_000,
    // Also the subscriptions of the shops.
    reconcilePlatforms: 189_000,
    // Also the commands of bulk jobs.
    runJob: 145_500,
    listEvents: 80_500,
    // Also the texts and the receipts.
    getMessage: 88_500,
    publishEvents: 77_000,
    repairEvents: 73_000,
    expireReturns: 111_500,
    remindReceipts: 70_000,
    matchWithdrawals: 136_000,
    remindRefunds: 114_000,
    verifyChains: 93_500,
    anchorChains: 66_500,
    applyRetention: 75_000,
    purgeInbox: 60_000,
    dailySummary: 80_000,
    activatePolicies: 63_000,
    deliverEvents: 123_500,
    wakeEndpoints: 67_500,
    writeBack: 220_000,
    // Also the texts, the receipts and the command that records a sent one.
    sendMails: 97_500,
    sweepIntents: 63_500,
    countReturns: 66_000,
    recountReturns: 67_000,
    reindexReturns: 82_000,
    rotateKeys: 54_500,
    receiptKeys: 54_500,
    listDeadLetters: 82_000,
    redriveDeadLetters: 85_000,
    doctor: 214_500,
    docs: 176_000,
    withdraw: 70_000,
    publishedPolicy: 55_500,
    // Nearly all of it are the compressed files.
    console: 206_000,
    authorize: 57_000,
    mcp: 247_000,
  },
};

/** Returns the group of a function, or undefined for one without a group. */
const groupOf = ({ name }: FunctionFile): 'read' | 'command' | 'receiver' | undefined => {
  const operation = Object.values(operations).find((candidate) => candidate.name === name);
  if (operation !== undefined) return operation.method === 'GET' ? 'read' : 'command';
  return name === 'receiveWebhook' || name === 'receiveEvents' ? 'receiver' : undefined;
};

describe.each(modes)('bundles of the %s mode', (mode) => {
  const budgetOf = (file: FunctionFile) => budgets[mode][file.name] ?? budgets[mode][groupOf(file) ?? ''];

  it('have a budget each', () => {
    expect(functionFiles(offers[mode]).filter((file) => budgetOf(file) === undefined)).toEqual([]);
  });

  it('stay within their budget', () => {
    const over = sample(functionFiles(offers[mode]), 3).flatMap((file) => {
      const [budget = 0, weight] = [budgetOf(file), weightOf(`dist/${mode}/${file.name}`).gzipped];
      return weight > budget ? [`${file.name}: ${weight} of ${budget} bytes`] : [];
    });
    expect(over).toEqual([]);
  });

  it('contain texts for customers only where a function writes them', () => {
    const writers = functionFiles(offers[mode]).filter(({ name }) =>
      readFileSync(functionBundle(mode, name), 'utf8').includes('Bearbeitungsgeb'),
    );
    expect(writers.map(({ name }) => name).toSorted()).toEqual(
      mode === 'standalone' ? ['getDecision', 'getMessage', 'getPolicyText', 'quoteReturn', 'sendMails'] : [],
    );
  });

  it('have no budget for a missing function', () => {
    const owners = new Set(functionFiles(offers[mode]).flatMap((file) => [file.name, groupOf(file)]));
    expect(Object.keys(budgets[mode]).filter((key) => !owners.has(key))).toEqual([]);
  });
});
