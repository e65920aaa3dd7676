import { amendReturn } from './amend.ts';
import * as compensation from './compensation.ts';
import * as goods from './goods.ts';
import * as life from './life.ts';
import { spare, type World } from './model.ts';
import * as money from './money.ts';
import { receiveAndRefund } from './receive-and-refund.ts';
import * as recovery from './recovery.ts';
import type { Step, Verdict } from './step.ts';
import { no, yes } from './verdicts.ts';

/** Returns a step with units for each line that the return has. */
const fitted = <Taken extends Step>(step: Taken, { lines }: World['now']): Taken => ({
  ...step,
  ...Object.fromEntries(
    Object.entries(step)
      .filter((field): field is [string, readonly number[]] => Array.isArray(field[1]))
      .map(([name, units]) => [name, lines.map((_, at) => units[at] ?? 0)]),
  ),
});

/** Evaluates a step by the contract, for an admin or for a writer. */
export const evaluateStep = (world: World, given: Step, admin: boolean): Verdict => {
  const step = fitted(given, world.now);
  switch (step.name) {
    case 'approve':
      return life.approve(world, step);
    case 'reject':
      return life.reject(world);
    case 'amendReturn':
      return amendReturn(world, step);
    case 'requestInfo':
      return life.requestInfo(world);
    case 'provideInfo':
      return life.provideInfo(world);
    case 'cancel':
      return life.cancel(world, step.units, admin);
    case 'cancelAll':
      return life.cancel(world, undefined, admin);
    case 'addParcel':
      return goods.addParcel(world, step);
    case 'updateParcel':
      return goods.updateParcel(world, step);
    case 'receive':
      return goods.receive(world, step.units);
    case 'receiveParcel':
      return goods.receiveParcel(world, step);
    case 'receiveAndRefund':
      return receiveAndRefund(world, admin);
    case 'closeReceipt':
      return goods.closeReceipt(world);
    case 'inspect':
      return goods.inspect(world, step);
    case 'dispose':
      return goods.dispose(world);
    case 'grant':
      return goods.grant(world, step, admin);
    case 'exchange':
      return money.exchange(world, step);
    case 'exchangeResult':
      return money.exchangeResult(world, step);
    case 'refund':
      return money.refund(world, step, admin);
    case 'compensate':
      return compensation.compensate(world, step, admin);
    case 'recordRefundResult':
      return money.recordRefundResult(world, step);
    case 'remindRefund':
      return money.remindRefund(world);
    case 'waiveFee':
      return money.waiveFee(world, admin);
    case 'recordRecovery':
      return recovery.recordRecovery(world, step);
    case 'writeOffRecovery':
      return recovery.writeOffRecovery(world, admin);
    case 'complete':
      return life.complete(world, step);
    case 'expire':
      return life.expire(world, step, admin);
    case 'reopen':
      return life.reopen(world, admin);
    case 'correct':
      return goods.correct(world, step, admin);
    case 'addNote':
    case 'assignReturn':
    case 'addAttachment':
      return yes(world, {});
    case 'createReturn': {
      if (step.units > (spare(world)[step.orderLine] ?? 0)) return no('quantity_exceeds_returnable');
      const elsewhere = world.elsewhere.map((units, at) => (at === step.orderLine ? units + step.units : units));
      return { ok: true, world: { ...world, elsewhere } };
    }
  }
};
