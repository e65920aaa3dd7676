import { readFile, writeFile } from 'node:fs/promises';
import { startMeter } from '../../support/meter.ts';
import { withBlock } from '../cost/block.ts';
import type { Driver } from '../driver.ts';
import { compareInTurns } from '../interleave.ts';
import type { Outside } from '../outside.ts';
import { type Remote, startAway, startBeside } from '../remote.ts';
import { ratioSection } from '../report.ts';
import { type Bench, roundsText, type Section } from '../settings.ts';
import type { WooShop } from './shop.ts';
import type { Worker } from './worker.ts';

const guide = 'lib/tools/guides/cost.md';

/** Brings a return of an order to the point where its refund is wanted at the shop. */
const wantRefund = async (driver: Remote<Driver>, worker: Remote<Worker>, orderId: string): Promise<void> => {
  const order = { platform: 'woocommerce', orderId };
  const lines = [{ lineId: '311', quantity: 1, unitPrice: { amount: 900, currency: 'USD' } }];
  const facts = { currency: 'USD', observedAt: new Date().toISOString(), lines };
  await driver.call('invoke', { operation: 'registerOrder', path: order, body: facts });
  const wanted = [{ orderLineId: '311', quantity: 1, reason: { code: 'fit.too_small' } }];
  const created = await driver.call('invoke', { operation: 'createReturn', body: { order, lines: wanted } });
  const path = { returnId: String(created['returnId']) };
  const [{ lineId } = { lineId: '' }] = created['lines'] as readonly { readonly lineId: string }[];
  const unit = { lineId, quantity: 1 };
  if (created['status'] === 'requested') await driver.call('invoke', { operation: 'approve', path, body: {} });
  await driver.call('invoke', { operation: 'receive', path, body: { lines: [unit] } });
  const accepted = { ...unit, outcome: 'accept', disposition: 'restock' };
  await driver.call('invoke', { operation: 'inspect', path, body: { lines: [accepted] } });
  // What else the commands want is off at the shop: the worker removes it.
  await worker.call('run', [orderId]);
  await driver.call('invoke', { operation: 'refund', path, body: {} });
};

/** Writes a table of a result into the guide. */
const store = async ({ table: [head = [], ...rows] }: Section): Promise<void> => {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [row(head), row(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(row)];
  await writeFile(guide, withBlock(await readFile(guide, 'utf8'), 'write-back', lines.join('\n')));
};

/** Measures a refund that WooCommerce pays at the word of the worker, beside a client that sends one request. */
export const writeBack: Bench = {
  summary: 'a refund that a shop pays at our word, compared with a client that sends it once',
  packages: ['undici'],
  defaults: { rounds: 11, warmUp: 3, invocations: 20, seed: 1 },
  describe: (settings) =>
    `warm, each of an order of its own; bare: one request, without a read, a store or a retry\n${roundsText(settings)}`,
  run: async ({ settings, report, held }) => {
    const shop = held.use(startAway<WooShop>('write-back/shop.ts'));
    const entry = await shop.call('open');
    const outside = held.use(startAway<Outside>('outside.ts'));
    const environment = (await outside.call('deployed', { shop: entry })).standalone;
    const meter = await startMeter(environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
    held.defer(meter.close);
    const driver = held.use(startBeside<Driver>('driver.ts', { environment }));
    const start = (more: Readonly<Record<string, string>> = {}) =>
      held.use(startBeside<Worker>('write-back/worker.ts', { environment: { ...environment, ...more } }));
    const [own, metered, bare] = [start(), start({ AWS_ENDPOINT_URL_DYNAMODB: meter.origin }), start()];
    for (const worker of [own, metered]) await worker.call('load', undefined);
    await bare.call('load', entry.entry);
    await own.call('enable');

    const { rounds, warmUp, invocations } = settings;
    const wanted: string[] = [];
    const total = (rounds + warmUp) * invocations + 2;
    for (const orderId of await shop.call('sell', total)) {
      await wantRefund(driver, own, orderId);
      wanted.push(orderId);
      if (wanted.length % 50 === 0) report(`${wanted.length} of ${total} refunds wanted`);
    }
    // The first one also reads the secret and the setting.
    await metered.call('run', wanted.splice(0, 1));
    meter.take();
    const before = await shop.call('counts');
    await metered.call('run', wanted.splice(0, 1));
    const after = await shop.call('counts');
    const { write, read, calls } = meter.take();
    if (after.paid !== before.paid + 1) throw new Error('the worker has not paid the refund');
    const turns = [
      { name: 'bare', measure: async () => bare.call('run', await shop.call('sell', invocations)) },
      { name: 'ours', measure: async () => own.call('run', wanted.splice(0, invocations)) },
    ];
    const comparison = await compareInTurns('a refund', turns, settings, ['p50 ms', 'CPU us']);
    const { paid } = await shop.call('counts');
    if (paid !== 2 + 2 * (rounds + warmUp) * invocations) throw new Error(`${paid} refunds were paid`);
    const besides = {
      'requests of the shop': `${after.requests - before.requests}, bare 1`,
      'calls of DynamoDB': String(Object.values(calls).reduce((sum, count) => sum + count, 0)),
      'write units': String(write),
      'read units': String(read),
    };
    const section = ratioSection('a write-back', [{ what: 'a refund at WooCommerce', comparison, besides }], {});
    if (settings.store === true) await store(section);
    return [section];
  },
};
