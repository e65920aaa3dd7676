import fc from 'fast-check';
import type { ExchangeStatus, ParcelStatus, RefundStatus } from './model.ts';
import type { PlainName, Step, StepOf } from './step.ts';

const quantity = fc.constantFrom(0, 0, 1, 1, 2);
/** The units of the requested lines, and of some lines that an amendment adds. */
const units = fc.tuple(fc.constantFrom(0, 0, 1, 1, 2, 3), quantity, quantity, quantity, quantity);
const inspectedUnits = fc.tuple(...[0, 1, 2, 3, 4].map(() => fc.constantFrom(0, 0, 0, 0, 1, 1, 2)));
/** Every return has the first three lines. */
const isSome = (quantities: readonly number[]): boolean => Math.max(...quantities.slice(0, 3)) > 0;
const some = units.filter(isSome);
const few = fc.integer({ min: 1, max: 2 });
const lineIndex = fc.nat(2);
const difference = fc.constantFrom(0, 0, 0, 1, -1);

const parcelStatuses = ['label_created', 'in_transit', 'delivered', 'exception', 'lost', 'cancelled'] as const;
const refundStatuses = [
  'submitted',
  'submitted',
  'succeeded',
  'succeeded',
  'failed',
  'unknown',
  'reversed',
  'cancelled',
] as const;

const parcelStatus = fc.constantFrom<ParcelStatus[]>(...parcelStatuses);

/** Gives steps that end or do not change a return a lower weight. */
const weighted = <Name extends Step['name']>(weight: number, arbitrary: fc.Arbitrary<StepOf<Name>>) => ({
  weight,
  arbitrary,
});

const plain = <Name extends PlainName>(weight: number, ...names: readonly Name[]) => ({
  weight,
  arbitrary: fc.record({ name: fc.constantFrom(...names) }),
});

/** Steps with arbitrary quantities. Model and domain each decide which of them are valid. */
const steps: fc.Arbitrary<Step> = fc.oneof(
  weighted(8, fc.record({ name: fc.constant('approve'), units: some })),
  weighted(3, fc.record({ name: fc.constant('receive'), units: some })),
  weighted(
    12,
    fc
      .record({ name: fc.constant('inspect'), accept: inspectedUnits, refuse: inspectedUnits, back: fc.boolean() })
      .filter(({ accept, refuse }) => isSome(accept) || isSome(refuse)),
  ),
  weighted(
    8,
    fc.record({
      name: fc.constant('refund'),
      // Without units, a refund pays the differences of exchanges alone.
      units: fc.oneof({ weight: 6, arbitrary: some }, { weight: 1, arbitrary: fc.constant([0, 0, 0]) }),
      result: fc.constantFrom<StepOf<'refund'>['result'][]>(undefined, undefined, 'succeeded', 'failed'),
    }),
  ),
  weighted(
    8,
    fc.record({
      name: fc.constant('recordRefundResult'),
      which: lineIndex,
      status: fc.constantFrom<RefundStatus[]>(...refundStatuses),
    }),
  ),
  weighted(7, fc.record({ name: fc.constant('addParcel'), units, status: parcelStatus })),
  weighted(6, fc.record({ name: fc.constant('updateParcel'), which: lineIndex, status: parcelStatus })),
  weighted(4, fc.record({ name: fc.constant('receiveParcel'), which: lineIndex })),
  weighted(4, fc.record({ name: fc.constant('grant'), of: fc.constantFrom('missing', 'refused'), units: some })),
  weighted(
    6,
    fc.record({
      name: fc.constant('correct'),
      line: lineIndex,
      by: fc.record({ received: difference, missing: difference, accepted: difference, refused: difference }),
    }),
  ),
  weighted(
    2,
    fc.record({
      name: fc.constant('compensate'),
      line: lineIndex,
      units: few,
      cents: fc.constantFrom<StepOf<'compensate'>['cents'][]>('postage', 23, 100, 345, 900),
    }),
  ),
  weighted(
    8,
    fc.record({
      name: fc.constant('recordRecovery'),
      cents: fc.constantFrom<StepOf<'recordRecovery'>['cents'][]>('all', 95, 345, 600, 1999),
    }),
  ),
  weighted(4, fc.record({ name: fc.constant('complete'), waive: fc.boolean() })),
  weighted(
    3,
    fc.record({
      name: fc.constant('exchange'),
      line: lineIndex,
      units: few,
      price: fc.constantFrom<StepOf<'exchange'>['price'][]>(undefined, 0, 345, 1500, 2500, 6000),
    }),
  ),
  weighted(
    3,
    fc.record({
      name: fc.constant('exchangeResult'),
      which: lineIndex,
      status: fc.constantFrom<ExchangeStatus[]>('ordered', 'fulfilled', 'cancelled'),
    }),
  ),
  weighted(
    1,
    fc.record({
      name: fc.constant('amendReturn'),
      by: fc.constantFrom('add', 'raise', 'unexpected'),
      line: lineIndex,
      units: few,
    }),
  ),
  weighted(3, fc.record({ name: fc.constant('cancel'), units: some })),
  weighted(2, fc.record({ name: fc.constant('expire'), late: fc.boolean() })),
  weighted(1, fc.record({ name: fc.constant('createReturn'), orderLine: fc.nat(1), units: few })),
  plain(9, 'closeReceipt', 'dispose', 'reopen'),
  plain(6, 'requestInfo', 'provideInfo', 'waiveFee'),
  plain(3, 'writeOffRecovery', 'remindRefund'),
  plain(2, 'reject', 'cancelAll', 'addNote', 'assignReturn', 'addAttachment', 'receiveAndRefund'),
);

/** Alternative steps. With `willing`, the run takes the first that the model allows, so that returns get far. */
export type Choice = { readonly among: readonly Step[]; readonly willing: boolean; readonly admin: boolean };

/** The terms of a life, and its choices. */
export type Life = { readonly inAdvance: boolean; readonly choices: readonly Choice[] };

const choice: fc.Arbitrary<Choice> = fc.record({
  among: fc.array(steps, { minLength: 10, maxLength: 10 }),
  willing: fc.integer({ min: 0, max: 9 }).map((dice) => dice < 8),
  admin: fc.boolean(),
});

const chosen = (step: Step): Choice => ({ among: [step], willing: true, admin: true });

/** Pays for goods that do not arrive, so that money is recovered and some goods arrive late. */
const openings: fc.Arbitrary<readonly Choice[]> = fc
  .constantFrom([3, 2, 2], [3, 1, 0], [1, 0, 1], [0, 0, 2])
  .map((paid) => [
    chosen({ name: 'approve', units: [3, 2, 2] }),
    chosen({ name: 'refund', units: paid }),
    chosen({ name: 'recordRefundResult', which: 0, status: 'submitted' }),
    chosen({ name: 'recordRefundResult', which: 0, status: 'succeeded' }),
    chosen({ name: 'closeReceipt' }),
  ]);

/** Lives of up to `maxLength` steps. One in four begins with a payment for goods that do not arrive. */
export const lives = (maxLength: number): fc.Arbitrary<Life> =>
  fc
    .record({
      inAdvance: fc.boolean(),
      opening: fc.oneof(openings, fc.constant([])),
      choices: fc.array(choice, { minLength: maxLength / 2, maxLength, size: 'max' }),
    })
    .map(({ inAdvance, opening, choices }) => ({
      inAdvance,
      choices: inAdvance ? [...opening, ...choices].slice(0, maxLength) : choices,
    }));
