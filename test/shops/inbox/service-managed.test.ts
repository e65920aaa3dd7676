import { describe, expect, it } from 'vitest';
import { runDelivery } from '../../../lib/shops/inbox/run-delivery.ts';
import { ampleDeadline } from '../../support/time.ts';
import { backendWith, ours, platformWith, preparedOf, remote, storedRow } from './support.ts';

const [line] = ours().lines;
if (line === undefined) throw new Error('there is no line');
const accepted = { outcome: 'accept', disposition: 'restock', quantity: 2 } as const;
const inspected = {
  ...line,
  quantities: { ...line.quantities, approved: 2, received: 2, accepted: 2 },
  inspections: [accepted],
};
const short = {
  ...line,
  quantities: { ...line.quantities, approved: 2, received: 1, missing: 1 },
  missing: [{ quantity: 1, granted: 0 }],
};
const allHere = [{ orderLineId: '1', received: 2, missing: 0, found: [accepted] }];
const oneHere = [{ orderLineId: '1', received: 1, missing: 0, found: [] }];

/** Delivers a state of the shop for a return here, and returns the steps that are taken. */
const stepsFor = async (here: object, there: object) => {
  const state = { ...remote, ...there };
  const { backend, calls } = backendWith({
    createReturn: () => ({ ok: true, value: { status: 200, body: { ...ours(), ...here } } }),
  });
  const platform = platformWith({
    prepare: async () => preparedOf(state),
    refetchReturn: async () => ({ ok: true, value: state }),
  });
  await runDelivery(backend, platform, storedRow('returns/update'), 'key', ampleDeadline());
  return calls.map(({ name }) => name).filter((name) => name !== 'registerOrder' && name !== 'createReturn');
};

describe('a delivery for a return that the service manages', () => {
  it.each([
    ['complete', { status: 'received', lines: [inspected] }, { status: 'completed', units: allHere }],
    ['reopen', { status: 'completed', lines: [inspected] }, { status: 'approved', units: allHere }],
    ['correct', { status: 'received', lines: [short] }, { status: 'approved', units: oneHere }],
  ])('does not %s it, as that of a platform does', async (step, here, there) => {
    expect(await stepsFor({ ...here, managedBy: 'service' }, there)).toEqual([]);
    expect(await stepsFor({ ...here, managedBy: 'platform' }, there)).toContain(step);
  });
});
