import fc from 'fast-check';
import { cancel, expire } from '../../../../lib/domain/returns/commands/endings.ts';
import type { Outcome } from '../../../../lib/domain/returns/commands/outcome.ts';
import { closeReceipt, grant } from '../../../../lib/domain/returns/commands/goods/missing-units.ts';
import { correct } from '../../../../lib/domain/returns/commands/goods/correct.ts';
import { inspect } from '../../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../../lib/domain/returns/commands/goods/receive.ts';
import { exchange, exchangeResult } from '../../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRefundResult } from '../../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { recordRefund } from '../../../../lib/domain/returns/commands/money/record-refund.ts';
import type { RecordedRefund } from '../../../../lib/domain/returns/commands/money/recorded-refund.ts';
import { type AmendReturn, unitsToAdd } from '../../../../lib/domain/returns/commands/request/added-units.ts';
import { amendReturn } from '../../../../lib/domain/returns/commands/request/amend-return.ts';
import { approve, reject } from '../../../../lib/domain/returns/commands/request/review-request.ts';
import { createReturn } from '../../../../lib/domain/returns/commands/request/create-return.ts';
import { reopen } from '../../../../lib/domain/returns/commands/request/reopen.ts';
import type { Result } from '../../../../lib/domain/returns/failure.ts';
import { builtInReasons } from '../../../../lib/domain/returns/rules/reasons.ts';
import type { Situation } from '../../../../lib/domain/returns/situation.ts';
import type { Terms } from '../../../../lib/domain/returns/model/terms.ts';
import { type Account, applyResult, now, situationOf } from '../../../support/money.ts';
import { sealed } from '../../../support/return-case.ts';
import { compensateBy, payLater, recordedParts, refundBy } from './pay.ts';
import { priceOfOrder } from './price.ts';

/** The state of several returns of an order: the account, and the refunds without a return. */
export type OneOrder = { account: Account; readonly alone: RecordedRefund[] };

const commands = [
  'createReturn',
  'amendReturn',
  'approve',
  'approve',
  'reject',
  'cancel',
  'receive',
  'receive',
  'closeReceipt',
  'inspect',
  'inspect',
  'grant',
  'exchange',
  'exchange',
  'exchangeResult',
  'exchangeResult',
  'exchangeResult',
  'refund',
  'refund',
  'compensate',
  'compensate',
  'payLater',
  'recordRefundResult',
  'recordRefund',
  'expire',
  'reopen',
  'correct',
] as const;
type Command = (typeof commands)[number];

/** A command on one of the returns with arbitrary numbers. The domain decides which of them are valid. */
export type Act = {
  readonly name: Command;
  readonly which: number;
  readonly units: readonly number[];
  readonly dice: number;
};

export const acts: fc.Arbitrary<Act> = fc.record({
  name: fc.constantFrom(...commands),
  which: fc.nat(3),
  units: fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
  dice: fc.nat(11),
});

const statuses = ['submitted', 'succeeded', 'failed', 'unknown', 'cancelled', 'reversed'] as const;
const later = '2099-01-01T00:00:00.000Z';

/** Creates a return. Its first two lines are of the same order line when it has both. */
const begin = ({ account }: OneOrder, { units }: Act, serial: number, terms: Terms): boolean => {
  const lineIds = account.order.facts.lines.map(({ lineId }) => lineId);
  const lines = [lineIds[0], lineIds[0], lineIds[1]].flatMap((orderLineId, at) => {
    const quantity = units[at] ?? 0;
    return orderLineId === undefined || quantity === 0
      ? []
      : [{ orderLineId, quantity, reason: { code: 'fit.too_small' } }];
  });
  if (lines.length === 0) return false;
  const ids = {
    id: `ret_${serial}`,
    rmaNumber: '0',
    lineIds: lines.map((_, at) => `rln_${serial}_${at}`),
    subject: 'x',
  };
  const { order, ledger, returns } = account;
  const decision = createReturn({ order, ledger, now }, { lines }, terms, ids);
  if (decision.ok) applyResult(account, decision, returns.length);
  return decision.ok;
};

/** Records an external refund, for a return or for none, with or without its lines. */
const record = ({ account, alone }: OneOrder, { which, units, dice }: Act, serial: number): boolean => {
  const { order, ledger, returns } = account;
  const { currency } = order.facts;
  const named = order.facts.lines.flatMap(({ lineId }, at) => {
    const quantity = units[at] ?? 0;
    return quantity === 0 ? [] : [{ orderLineId: lineId, quantity }];
  });
  const state = dice % 2 === 0 ? undefined : returns[which % Math.max(1, returns.length)];
  const moved = {
    method: 'manual',
    amount: { amount: 1 + 97 * dice, currency },
    occurredAt: now,
    ...recordedParts(named, { units, dice }, currency),
  } as const;
  const decision = recordRefund(order, ledger, state, moved, {
    id: `rfd_${serial}`,
    externalId: String(serial),
    now,
    latest: later,
  });
  if (!decision.ok) return false;
  const [first, ...rest] = decision.value.events;
  if (state === undefined || first === undefined) {
    account.ledger = decision.value.ledger;
    alone.push(decision.value.refund);
  } else {
    const outcome = { events: [first, ...rest], ledger: decision.value.ledger } as const;
    applyResult(account, { ok: true, value: outcome }, returns.indexOf(state));
  }
  return true;
};

/** Adds units as lines, to a line, or of an unexpected item. */
const amend = (situation: Situation, { units, dice }: Act, serial: number): Result<Outcome> => {
  const { state, order } = situation;
  const reason = { code: 'fit.too_small' };
  const add = order.facts.lines
    .map(({ lineId }, at) => ({ orderLineId: lineId, quantity: units[at] ?? 0, reason }))
    .filter(({ quantity }) => quantity > 0);
  const item = state.unexpected.find(({ disposition }) => disposition === undefined);
  const raised = state.lines[dice % state.lines.length]?.id ?? '';
  const ways: readonly AmendReturn[] = [
    { add },
    { raise: [{ lineId: raised, quantity: 1 }] },
    { unexpected: item === undefined ? [] : [{ id: item.id, orderLineId: '1', quantity: 1, reason }] },
  ];
  const added = unitsToAdd(situation, ways[dice % 3] ?? {});
  if (!added.ok) return added;
  const lineIds = added.value.map((_, at) => `rln_${serial}_${at}`);
  return amendReturn(situation, added.value, { reasons: builtInReasons, lineIds, terms: state.terms });
};

const decide = (
  account: Account,
  doing: Act & { readonly name: Exclude<Command, 'createReturn' | 'recordRefund' | 'payLater'> },
  index: number,
  serial: number,
): Result<Outcome | undefined> => {
  const { name, units, dice } = doing;
  const situation = situationOf(account, index, true);
  const { lines, refunds, exchanges } = situation.state;
  const named = lines
    .map(({ id }, at) => ({ lineId: id, quantity: units[at] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
  const some = named.length > 0 && dice % 3 > 0 ? { lines: named } : {};
  const line = lines[dice % lines.length]?.id ?? '';
  switch (name) {
    case 'approve':
      return approve(situation, dice % 3 === 0 ? { lines: named } : {});
    case 'amendReturn':
      return amend(situation, doing, serial);
    case 'reject':
      return reject(situation, { code: 'final_sale' });
    case 'cancel':
      return cancel(situation, { cancellation: {}, ...some });
    case 'receive': {
      const all = lines.map(({ id, quantities }) => ({ lineId: id, quantity: Math.max(1, quantities.approved) }));
      const ids = lines.map(({ id }) => `unx_${serial}_${id}`);
      return receive(situation, { lines: dice % 3 === 0 ? named : all }, ids);
    }
    case 'closeReceipt':
      return closeReceipt(situation, {});
    case 'inspect': {
      const outcome = dice % 3 === 0 ? ('refuse' as const) : ('accept' as const);
      const came = lines
        .map(({ id, quantities: { received, accepted, refused } }) => ({
          lineId: id,
          quantity: received - accepted - refused,
        }))
        .filter(({ quantity }) => quantity > 0);
      const found = came.map((one) => ({ ...one, id: `ins_${serial}_${one.lineId}`, outcome }));
      return inspect(situation, { lines: found.map((one) => ({ ...one, disposition: 'quarantine' as const })) });
    }
    case 'grant': {
      const of = dice % 2 === 0 ? ('missing' as const) : ('refused' as const);
      return grant(situation, { lines: named.map((one) => ({ ...one, of })), reason: 'goodwill' });
    }
    case 'exchange': {
      const price = dice % 4 === 0 ? {} : { price: { amount: dice * 150, currency: situation.order.facts.currency } };
      const newItem = { sku: 'NEW', quantity: 1, ...price };
      return exchange(situation, `exc_${serial}`, { lineId: line, quantity: 1, newItem });
    }
    case 'exchangeResult': {
      const open = exchanges.filter(({ status }) => status === 'requested' || status === 'ordered');
      const known = (open.length > 0 ? open : exchanges)[dice % Math.max(1, open.length)];
      const usual = known?.status === 'requested' ? 'ordered' : 'fulfilled';
      const status = dice % 4 === 0 ? 'cancelled' : usual;
      return exchangeResult(situation, { exchangeId: known?.id ?? '', status });
    }
    case 'refund':
      return refundBy(situation, some, doing, serial);
    case 'compensate':
      return compensateBy(situation, doing, serial);
    case 'recordRefundResult': {
      const refundId = refunds[dice % Math.max(1, refunds.length)]?.id ?? '';
      return recordRefundResult(situation, { refundId, status: statuses[dice % 6] ?? 'cancelled' }, later);
    }
    case 'expire':
      return expire(situation);
    case 'reopen':
      return reopen(situation, { reason: sealed(`note_${serial}`) });
    case 'correct': {
      const by = [{ accepted: -1 }, { received: -1, accepted: -1 }, { missing: -1 }, { accepted: -1, refused: 1 }];
      return correct(situation, {
        correction: { reason: sealed(`note_${serial}`) },
        lines: [{ lineId: line, ...by[dice % by.length] }],
        ids: [{ accepted: `ins_${serial}_a`, refused: `ins_${serial}_r` }],
      });
    }
  }
};

/** Performs the command if the domain allows it. */
export const act = (one: OneOrder, doing: Act, serial: number, terms: Terms): boolean => {
  const { account } = one;
  const { name } = doing;
  if (name === 'createReturn') return begin(one, doing, serial, terms);
  if (name === 'recordRefund') return record(one, doing, serial);
  if (name === 'payLater') {
    const paid = payLater(account, doing, serial, Number(priceOfOrder(account.order)));
    one.account = paid ?? account;
    return paid !== undefined;
  }
  if (account.returns.length === 0) return false;
  const index = doing.which % account.returns.length;
  const decision = decide(account, { ...doing, name }, index, serial);
  if (decision.ok) applyResult(account, decision, index);
  return decision.ok;
};
