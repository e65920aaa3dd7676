import { cancel, complete, expire } from '../../lib/domain/returns/commands/endings.ts';
import type { Outcome } from '../../lib/domain/returns/commands/outcome.ts';
import { closeReceipt, grant } from '../../lib/domain/returns/commands/goods/missing-units.ts';
import { correct } from '../../lib/domain/returns/commands/goods/correct.ts';
import { inspect } from '../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../lib/domain/returns/commands/goods/receive.ts';
import { addParcel, updateParcel } from '../../lib/domain/returns/commands/goods/parcels.ts';
import { exchange, exchangeResult } from '../../lib/domain/returns/commands/money/exchange.ts';
import {
  recordRecovery,
  waiveFee,
  writeOffRecovery,
} from '../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import { recordRefundResult, remindRefund } from '../../lib/domain/returns/commands/money/record-refund-result.ts';
import { compensate } from '../../lib/domain/returns/commands/money/compensate.ts';
import { receiveAndRefund } from '../../lib/domain/returns/commands/money/receive-and-refund.ts';
import { refundReturn } from '../../lib/domain/returns/commands/money/refund-return.ts';
import {
  approve,
  type Approve,
  reject,
  provideInfo,
  requestInfo,
} from '../../lib/domain/returns/commands/request/review-request.ts';
import { unitsToAdd } from '../../lib/domain/returns/commands/request/added-units.ts';
import { amendReturn } from '../../lib/domain/returns/commands/request/amend-return.ts';
import { reopen } from '../../lib/domain/returns/commands/request/reopen.ts';
import { addAttachment, addNote, assignReturn } from '../../lib/domain/returns/commands/annotations.ts';
import type { Result } from '../../lib/domain/returns/failure.ts';
import { undecided } from '../../lib/domain/returns/goods/quantities.ts';
import { builtInReasons } from '../../lib/domain/returns/rules/reasons.ts';
import type { Command } from '../../lib/domain/returns/rules/states.ts';
import type { Situation } from '../../lib/domain/returns/situation.ts';
import { eur } from './orders.ts';
import { sealed } from './return-case.ts';

type Form = (situation: Situation) => Result<Outcome | undefined>;

/**
 * The forms of each command for a return: whole and in parts, for each thing that it may name, with and without
 * overrides.
 */
type Forms = { readonly [Name in Command]: (situation: Situation, serial: number) => readonly Form[] };

const why = sealed('why');

/** Returns all selections of units, up to the requested units of each line, without the empty one. */
const parts = ({ state: { lines } }: Situation) =>
  lines
    .reduce<readonly (readonly { lineId: string; quantity: number }[])[]>(
      (all, { id, quantities: { requested } }) =>
        Array.from({ length: requested + 1 }, (_, quantity) =>
          all.map((named) => (quantity === 0 ? named : [...named, { lineId: id, quantity }])),
        ).flat(),
      [[]],
    )
    .filter(({ length }) => length > 0);

/** Returns the decisions on undecided lines: each approved or rejected, with or without an override. */
const decisions = ({ state: { lines } }: Situation) =>
  lines
    .filter(({ quantities }) => undecided(quantities) > 0)
    .reduce<readonly Exclude<Approve['lines'], undefined>[]>(
      (all, { id, quantities }) =>
        all.flatMap((named) =>
          [{}, { override: { reason: why } }].flatMap((override) =>
            [0, undecided(quantities)].map((quantity) => [...named, { lineId: id, quantity, ...override }]),
          ),
        ),
      [[]],
    );

/** Returns the forms, and for an admin the same with an override of the statutory floor. */
const belowFloor = (all: readonly Form[]): readonly Form[] => [
  ...all,
  ...all.map(
    (form): Form =>
      (situation) =>
        form(situation.admin ? { ...situation, floorOverride: { reason: 'abuse' } } : situation),
  ),
];

/** Shipping and charges of a refund: by the terms, none, or the smallest amount. */
const extras = [
  {},
  { shipping: eur(0), charges: eur(0) },
  { shipping: eur(1), charges: eur(0) },
  { shipping: eur(0), charges: eur(1) },
];

const differences = [-1, 0, 1].flatMap((received) =>
  [-1, 0, 1].flatMap((missing) =>
    [-1, 0, 1].flatMap((accepted) =>
      [-1, 0, 1].map((refused) => ({
        ...(received === 0 ? {} : { received }),
        ...(missing === 0 ? {} : { missing }),
        ...(accepted === 0 ? {} : { accepted }),
        ...(refused === 0 ? {} : { refused }),
      })),
    ),
  ),
);

export const forms: Forms = {
  approve: (now) =>
    belowFloor([{}, ...decisions(now).map((lines) => ({ lines }))].map((what) => (s) => approve(s, what))),
  amendReturn: ({ state, order }, serial) =>
    [
      ...order.facts.lines.map(({ lineId }) => ({
        add: [{ orderLineId: lineId, quantity: 1, reason: { code: 'fit.too_small' } }],
      })),
      ...state.lines.map(({ id }) => ({ raise: [{ lineId: id, quantity: 1 }] })),
    ].map(
      (command): Form =>
        (situation) => {
          const units = unitsToAdd(situation, command);
          const rules = { reasons: builtInReasons, lineIds: [`rln_${serial}`], terms: situation.state.terms };
          return units.ok ? amendReturn(situation, units.value, rules) : units;
        },
    ),
  reject: () => belowFloor([(situation) => reject(situation, { code: 'worn' })]),
  addParcel: (now, serial) =>
    [{}, { status: 'in_transit' as const }, ...parts(now).map((contents) => ({ contents }))].map(
      (parcel) => (situation) => addParcel(situation, parcel, `pcl_${serial}`),
    ),
  updateParcel: ({ state }, serial) =>
    state.parcels.flatMap(({ id }) => [
      ...(['in_transit', 'delivered', 'exception', 'lost', 'cancelled'] as const).map(
        (status): Form =>
          (situation) =>
            updateParcel(situation, id, { status }),
      ),
      (situation) => updateParcel(situation, id, { trackingNumber: sealed(`${serial}`) }),
    ]),
  receive: (now, serial) =>
    [
      ...now.state.parcels.map(({ id }) => ({ parcelId: id })),
      ...parts(now).map((lines) => ({ lines })),
      { unexpected: [{ id: `unx_${serial}`, quantity: 1 }] },
    ].map(
      (came) => (situation) =>
        receive(
          situation,
          came,
          situation.state.lines.map(({ id }) => `unx_${serial}_${id}`),
        ),
    ),
  receiveAndRefund: (_, serial) => [
    (situation) =>
      receiveAndRefund(
        situation,
        {},
        {
          refund: { id: `rfd_${serial}` },
          inspections: situation.state.lines.map(({ id }) => `ins_${serial}_${id}`),
        },
      ),
  ],
  closeReceipt: (now) => [{}, ...parts(now).map((lines) => ({ lines }))].map((what) => (s) => closeReceipt(s, what)),
  inspect: (now, serial) => [
    ...parts(now).flatMap((lines) =>
      (['accept', 'refuse'] as const).map(
        (outcome): Form =>
          (situation) =>
            inspect(situation, {
              lines: lines.map((line) => ({
                ...line,
                id: `ins_${serial}`,
                outcome,
                disposition: 'return_to_customer',
              })),
            }),
      ),
    ),
    ...now.state.unexpected.map(
      ({ id }): Form =>
        (situation) =>
          inspect(situation, { unexpected: [{ id, disposition: 'destroy' }] }),
    ),
  ],
  grant: (now) =>
    parts(now).flatMap((lines) =>
      (['missing', 'refused'] as const).map(
        (of): Form =>
          (situation) =>
            grant(situation, { reason: 'goodwill', lines: lines.map((line) => ({ ...line, of })) }),
      ),
    ),
  exchange: (now, serial) =>
    parts(now).flatMap(([units]) =>
      units === undefined
        ? []
        : [{}, { price: eur(0) }, { price: eur(900) }].map((price) => (situation: Situation) => {
            const newItem = { sku: 'NEW', quantity: 1, ...price };
            return exchange(situation, `exc_${serial}`, { ...units, newItem });
          }),
    ),
  exchangeResult: ({ state }) =>
    state.exchanges.flatMap(({ id }) =>
      (['ordered', 'fulfilled', 'cancelled'] as const).map(
        (status): Form =>
          (situation) =>
            exchangeResult(situation, { exchangeId: id, status }),
      ),
    ),
  requestInfo: (_, serial) => [(situation) => requestInfo(situation, { id: `note_${serial}`, text: why })],
  provideInfo: (_, serial) => [(situation) => provideInfo(situation, { id: `note_${serial}`, text: why })],
  complete: () => belowFloor([{}, { waiver: { reason: why } }].map((what) => (situation) => complete(situation, what))),
  cancel: (now) =>
    [{}, ...parts(now).map((lines) => ({ lines }))].map(
      (what) => (situation) => cancel(situation, { cancellation: {}, ...what }),
    ),
  refund: (now, serial) =>
    [{}, ...parts(now).map((lines) => ({ lines }))].flatMap((what) =>
      extras.map(
        (more): Form =>
          (situation) =>
            refundReturn(situation, { ...what, ...more }, { id: `rfd_${serial}` }),
      ),
    ),
  compensate: ({ state }, serial) => [
    ...state.lines.map(
      ({ id }): Form =>
        (situation) =>
          compensate(
            situation,
            { type: 'price_reduction', lineId: id, amount: eur(1), reason: 'goodwill' },
            { id: `rfd_${serial}` },
          ),
    ),
    (situation) =>
      compensate(situation, { type: 'return_postage', amount: eur(1), reason: 'goodwill' }, { id: `rfd_${serial}` }),
  ],
  recordRefundResult: ({ state }) =>
    state.refunds.flatMap(({ id }) =>
      (['submitted', 'succeeded', 'failed', 'unknown', 'reversed', 'cancelled'] as const).map(
        (status): Form =>
          (situation) =>
            recordRefundResult(situation, { refundId: id, status }, situation.now),
      ),
    ),
  // Long after the due time, as if no reminder had been sent.
  remindRefund: () => [
    ({ state, ...situation }) => {
      const { refundReminders: _, ...unreminded } = state;
      return remindRefund({ ...situation, state: unreminded, now: '2099-01-01T00:00:00.000Z' });
    },
  ],
  waiveFee: () =>
    (['inspection', 'restocking', 'return_shipping'] as const).map(
      (type) => (situation) => waiveFee(situation, { type, reason: 'goodwill' }),
    ),
  recordRecovery: (_, serial) => [(situation) => recordRecovery(situation, { amount: eur(1) }, `rcv_${serial}`)],
  writeOffRecovery: (_, serial) => [
    (situation) => writeOffRecovery(situation, { reason: 'goodwill' }, `rcv_${serial}`),
  ],
  addAttachment: (_, serial) => [
    (situation) => addAttachment(situation, { id: `att_${serial}`, contentType: 'image/png', size: 1, sha256: '' }),
  ],
  expire: () => [expire],
  reopen: () => [(situation) => reopen(situation, { reason: why })],
  correct: ({ state }, serial) =>
    state.lines.flatMap(({ id }) =>
      differences.map(
        (difference): Form =>
          (situation) =>
            correct(situation, {
              correction: { reason: why },
              lines: [{ lineId: id, ...difference }],
              ids: [{ accepted: `ins_${serial}_1`, refused: `ins_${serial}_2` }],
            }),
      ),
    ),
  assignReturn: (_, serial) => [(situation) => assignReturn(situation, { id: `user-${serial}` })],
  addNote: (_, serial) => [
    (situation) =>
      addNote(situation, { id: `note_${serial}`, actor: { clientId: 'shop' }, visibility: 'internal', note: why }),
  ],
};
