import { nextStep, type SyncStep } from '../../../lib/shops/platforms/shared/sync/next-step.ts';
import type { RemoteReturn } from '../../../lib/shops/platforms/shared/sync/remote-return.ts';
import { updateReturn } from '../../../lib/domain/returns/commands/annotations.ts';
import { cancel, complete } from '../../../lib/domain/returns/commands/endings.ts';
import type { Outcome } from '../../../lib/domain/returns/commands/outcome.ts';
import { ok } from '../../../lib/runtime/result.ts';
import { closeReceipt } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { correct } from '../../../lib/domain/returns/commands/goods/correct.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { addParcel } from '../../../lib/domain/returns/commands/goods/parcels.ts';
import { approve, reject } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { unitsToAdd } from '../../../lib/domain/returns/commands/request/added-units.ts';
import { amendReturn } from '../../../lib/domain/returns/commands/request/amend-return.ts';
import { reopen } from '../../../lib/domain/returns/commands/request/reopen.ts';
import { builtInReasons } from '../../../lib/domain/returns/rules/reasons.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { returnView } from '../../../lib/service/views/views.ts';
import { order, orderLine } from '../../support/orders.ts';
import { after, type Case, openCase, sealed, situationOf, start } from '../../support/return-case.ts';

/* Our return as sync changes it from a platform's, by the commands of the domain only. */

const facts = order({
  lines: [orderLine({ lineId: '1', quantity: 9 }), orderLine({ lineId: '2', quantity: 9 })],
});

const observed = { platform: 'acme', externalId: '7', occurredAt: start };

let ids = 0;
const newId = () => `id_${(ids += 1)}`;

/** Returns the domain's decision on a step. */
const decide = (situation: Situation, { operation, input }: SyncStep) => {
  switch (operation) {
    case 'updateReturn': {
      const { shopExchanges = null } = input;
      const updated = updateReturn(situation.state, { shopExchanges }, situation.now);
      if (!updated.ok) return updated;
      const [first, ...others] = updated.value;
      if (first === undefined) throw new Error('the step changes nothing', { cause: input });
      return ok<Outcome>({ events: [first, ...others], ledger: situation.ledger });
    }
    case 'amendReturn': {
      const added = (input.add ?? []).map(({ orderLineId, quantity }) => ({ orderLineId, quantity }));
      const units = unitsToAdd(situation, { add: added.map((line) => ({ ...line, reason: { code: 'other' } })) });
      if (!units.ok) return units;
      const lineIds = units.value.map(newId);
      return amendReturn(situation, units.value, { reasons: builtInReasons, lineIds, terms: situation.state.terms });
    }
    case 'approve':
      return approve(situation, {
        ...(input.lines && { lines: input.lines.map(({ lineId, quantity }) => ({ lineId, quantity })) }),
      });
    case 'reject':
      return reject(situation, { code: input.code });
    case 'cancel':
      return cancel(situation, { ...(input.lines && { lines: input.lines }), cancellation: {} });
    case 'reopen':
      return reopen(situation, { reason: sealed('reopening') });
    case 'correct': {
      const inspected = input.lines.map(() => ({ accepted: newId(), refused: newId() }));
      return correct(situation, { correction: { reason: sealed('correction') }, lines: input.lines, ids: inspected });
    }
    case 'addParcel': {
      const { trackingNumber, labelUrl, contents = [] } = input;
      // The reference of a personal text is the text itself.
      const known = {
        ...(trackingNumber && { trackingNumber: sealed(trackingNumber) }),
        ...(labelUrl && { labelUrl: sealed(labelUrl) }),
      };
      return addParcel(situation, { ...known, contents }, newId());
    }
    case 'receive':
      return receive(
        situation,
        { lines: input.lines ?? [], ...(input.parcelId && { parcelId: input.parcelId }) },
        situation.state.lines.map(newId),
      );
    case 'closeReceipt':
      return closeReceipt(situation, {
        ...(input.lines && { lines: input.lines.map(({ lineId, quantity }) => ({ lineId, quantity })) }),
      });
    case 'inspect':
      return inspect(situation, {
        lines: (input.lines ?? []).map(({ lineId, quantity, outcome, disposition }) => ({
          id: newId(),
          lineId,
          quantity,
          outcome,
          ...(disposition && { disposition }),
        })),
      });
    case 'complete':
      return complete(situation, {});
  }
};

const maxSteps = 20;

/** Returns the case after a snapshot, and its steps. Throws when the domain rejects a step. */
export const sync = (
  before: Case,
  remote: RemoteReturn,
): { readonly case: Case; readonly steps: readonly SyncStep[] } => {
  let current = before;
  const steps: SyncStep[] = [];
  for (;;) {
    const seals = current.state.parcels.flatMap(({ trackingNumber, labelUrl }) => [trackingNumber, labelUrl]);
    const texts = new Map(seals.flatMap((seal) => (seal === undefined ? [] : [[seal.ref, seal.ref] as const])));
    const personal = { person: undefined, texts, userNames: new Map(), links: new Map() };
    const step = nextStep(returnView(current.state, { personal }), remote);
    if (step === undefined) return { case: current, steps };
    if (steps.length === maxSteps) throw new Error('the steps come to no end', { cause: steps });
    steps.push(step);
    current = after(current, decide({ ...situationOf(current), observed }, step));
  }
};

/** Returns our return as the first snapshot creates it. */
export const newCase = ({ lines }: RemoteReturn): Case =>
  openCase(
    lines.map(({ orderLineId, quantity }) => ({ orderLineId, quantity })),
    { facts },
  );

/** Returns the outcome of a case, in the remaining units by order line. */
export const outcomeOf = ({ state }: Case) => ({
  status: state.status,
  lines: Object.fromEntries(
    facts.facts.lines.map(({ lineId }) => {
      const own = state.lines.filter(({ orderLineId }) => orderLineId === lineId);
      const sum = (units: (line: (typeof own)[number]) => number) =>
        own.reduce((total, line) => total + units(line), 0);
      return [
        lineId,
        {
          remaining: sum(({ quantities }) =>
            quantities.approved === 0 ? 0 : quantities.requested - quantities.rejected - quantities.cancelled,
          ),
          received: sum(({ quantities }) => quantities.received),
          missing: sum(({ quantities }) => quantities.missing),
          restocked: sum(({ inspections }) =>
            inspections
              .filter(({ disposition }) => disposition === 'restock')
              .reduce((all, { quantity }) => all + quantity, 0),
          ),
          accepted: sum(({ quantities }) => quantities.accepted),
        },
      ];
    }),
  ),
});
