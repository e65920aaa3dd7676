import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Wanted, WantedLine } from '../../../../lib/shops/platforms/effect.ts';
import type { UpdateFault } from '../../../../lib/tools/local/shops/commercetools/project.ts';
import { runs } from '../../../support/samples.ts';
import { openProjectCase, refundOf } from './commercetools-case.ts';
import { acceptedLine } from './wanted.ts';

const { project, sell, items, refunds, wantedOf, ask } = await openProjectCase();

const faults: readonly UpdateFault[] = [
  'cut_before',
  'cut_after',
  'late',
  'failed_after',
  'rejected_after',
  'conflict',
  'throttled',
];

describe.each(faults)('commercetools with the fault %s', (fault) => {
  test('writes goods and money once', async () => {
    const lines = [acceptedLine('line-1', 2)];
    const pause = async () => project.runLate();
    for (const action of ['receive', 'inspect'] as const) {
      project.state.faults.push(fault);
      expect(await ask(wantedOf(action, lines), pause)).toEqual({ kind: 'confirmed' });
    }
    const wanted = wantedOf('refund', lines, {
      refund: refundOf(9_000, [{ orderLineId: 'line-1', quantity: 2, gross: 9_000 }]),
    });
    project.state.faults.push(fault);
    expect(await ask(wanted, pause)).toEqual({ kind: 'waiting' });
    project.settle('Success');
    project.state.faults.push(fault);
    expect(await ask({ ...wanted, askedAt: new Date().toISOString() }, pause)).toMatchObject({ kind: 'confirmed' });
    expect(items()).toHaveLength(2);
    expect(refunds()).toHaveLength(1);
  });
});

/** A random life of a return, in steps. */
const story = fc.record({
  steps: fc.array(
    fc.record({ received: fc.nat(1), restocked: fc.boolean(), accepted: fc.boolean(), pays: fc.boolean() }),
    { minLength: 1, maxLength: 4 },
  ),
  faults: fc.array(fc.option(fc.constantFrom(...faults.filter((fault) => fault !== 'throttled'))), { maxLength: 14 }),
  runsLate: fc.array(fc.boolean(), { maxLength: 40 }),
});

describe('commercetools', () => {
  test('has each effect once, and nothing of the money is left to people', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ steps, faults: planned, runsLate }) => {
        sell({ lineItems: [{ id: 'line-1', quantity: 4, totalPrice: { centAmount: 13_300, currencyCode: 'EUR' } }] });
        project.state.faults.splice(0);
        let [step, pauses, received, paid] = [0, 0, 0, 0];
        const found: WantedLine['found'][number][] = [];
        const pause = async () => {
          if (runsLate[(pauses += 1)] ?? true) project.runLate();
        };
        const request = async (wanted: Wanted) => {
          const fault = planned[(step += 1)] ?? null;
          if (fault !== null) project.state.faults.push(fault);
          const outcome = await ask(wanted, pause);
          project.state.faults.splice(0);
          project.runLate();
          return outcome;
        };
        for (const { received: units, restocked, accepted, pays } of steps) {
          received += units;
          const now = () => [acceptedLine('line-1', 4, { received, found: [...found] })];
          expect(await request(wantedOf('receive', now()))).toEqual({ kind: 'confirmed' });
          if (units > 0)
            found.push({
              outcome: accepted ? 'accept' : 'refuse',
              disposition: restocked ? 'restock' : 'destroy',
              quantity: units,
            });
          expect(await request(wantedOf('inspect', now()))).toEqual({ kind: 'confirmed' });
          if (!pays) continue;
          const refund = refundOf(1_000, [{ orderLineId: 'line-1', quantity: 1, gross: 1_000 }]);
          const wanted = wantedOf('refund', now(), { refund });
          await request(wanted);
          project.settle('Success');
          expect(await request({ ...wanted, askedAt: new Date().toISOString() })).toMatchObject({
            kind: 'confirmed',
          });
          paid += 1;
        }
        expect(items()).toHaveLength(received);
        expect(items().filter(({ shipmentState }) => shipmentState === 'Returned')).toEqual([]);
        expect(items().filter(({ paymentState }) => paymentState === 'NotRefunded')).toHaveLength(
          found.filter(({ outcome }) => outcome === 'refuse').length,
        );
        expect(refunds()).toHaveLength(paid);
      }),
      { numRuns: runs(100) },
    );
  });
});
