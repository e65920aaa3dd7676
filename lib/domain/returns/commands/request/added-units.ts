import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { isUndisposed } from '../../goods/quantities.ts';
import type { TextReference } from '../../model/actor.ts';
import type { UnexpectedItem } from '../../model/goods.ts';
import type { Line, Return } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import { isUndecided } from '../../rules/states.ts';
import type { Situation } from '../../situation.ts';
import { type RequestedUnits, unitsByLine } from '../../units-by-line.ts';
import { checkTransition, failInvalidTransition } from '../check-transition.ts';
import type { CreateReturn } from './decide-request.ts';

type WantedLine = CreateReturn['lines'][number];
type Overridable = { readonly override?: { readonly reason: TextReference } | undefined };

/**
 * Units to add to a return: of lines of the order, of lines of the return, and unexpected items that are units of the
 * order. An override states why units that do not qualify are added.
 */
export type AmendReturn = {
  readonly add?: readonly (WantedLine & Overridable)[];
  readonly unexpected?: readonly (WantedLine & Overridable & Pick<UnexpectedItem, 'id'>)[];
  readonly raise?: readonly (RequestedUnits[number] & Overridable)[];
};

/** Units to add, with their path in the command. */
export type AddedUnits = Overridable & {
  readonly path: string;
  readonly wanted: WantedLine;
  /** The line that has the same units already. An undecided one takes the units, a decided one gets a new line beside it. */
  readonly like?: Line;
  /** The unexpected item that the units were. */
  readonly item?: UnexpectedItem;
};

const entryErrors = (
  { unexpected }: Return,
  named: NonNullable<AmendReturn['unexpected']>,
): { readonly unknown: readonly FieldError[]; readonly invalid: readonly FieldError[] } => {
  const items = new Map(unexpected.map((item) => [item.id, item]));
  const left = new Map(unexpected.map(({ id, quantity }) => [id, quantity]));
  const [unknown, invalid]: [FieldError[], FieldError[]] = [[], []];
  named.forEach(({ id, quantity }, index) => {
    const path = `/unexpected/${index}`;
    const item = items.get(id);
    const units = left.get(id) ?? 0;
    left.set(id, Math.max(0, units - quantity));
    if (item === undefined)
      unknown.push({ path: `${path}/id`, code: 'unknown', message: 'must be an unexpected item of the return' });
    else if (!isUndisposed(item))
      invalid.push({ path: `${path}/id`, code: 'disposed', message: 'must be an item without a disposition' });
    else if (quantity > units)
      invalid.push({ path: `${path}/quantity`, code: 'maximum', message: `must be at most ${units}` });
  });
  return { unknown, invalid };
};

/** Checks the unexpected items that a command names. Several entries of an item share its units. */
const checkItems = (situation: Situation, named: NonNullable<AmendReturn['unexpected']>): Result<null> => {
  const { state } = situation;
  const { unknown, invalid } = entryErrors(state, named);
  if (unknown.length > 0)
    return fail({
      code: 'unexpected_not_found',
      detail: 'The return has no unexpected item with this id.',
      errors: unknown,
    });
  if (invalid.length > 0)
    return fail({ code: 'invalid_request', detail: 'The items are invalid for this return.', errors: invalid });
  if (named.length === 0 || !isUndecided(state.status)) return ok(null);
  return failInvalidTransition(situation, 'Received items become units of a return once it is approved. Approve it.', [
    { path: '/unexpected', code: 'status', message: 'must be absent until the return is approved' },
  ]);
};

const wantedLike = ({ orderLineId, reason, condition, resolution }: Line, quantity: number): WantedLine => ({
  orderLineId,
  quantity,
  reason,
  ...(condition === undefined ? {} : { condition }),
  resolution,
});

/**
 * Returns the units that an amendment adds, if the return may be amended and has the lines and items that it names.
 * The units that the command raises come last.
 */
export const unitsToAdd = (
  situation: Situation,
  { add = [], unexpected = [], raise = [] }: AmendReturn,
): Result<readonly AddedUnits[]> => {
  const admission = checkTransition(situation, 'amendReturn');
  if (!admission.ok) return admission;
  const { lines, unexpected: items } = situation.state;
  const raised = unitsByLine(raise, new Map(lines.map(({ id }) => [id, Infinity])), { list: 'raise' });
  if (!raised.ok) return raised;
  const known = checkItems(situation, unexpected);
  if (!known.ok) return known;
  const itemById = new Map(items.map((item) => [item.id, item]));
  const lineById = new Map(lines.map((line) => [line.id, line]));
  const units = [
    ...add.map(({ override, ...wanted }, index) => ({ path: `/add/${index}`, wanted, override })),
    ...unexpected.map(({ id, override, ...wanted }, index) => {
      const item = itemById.get(id);
      return { path: `/unexpected/${index}`, wanted, override, ...(item === undefined ? {} : { item }) };
    }),
    ...raise.flatMap(({ lineId, quantity, override }, index) => {
      const like = lineById.get(lineId);
      return like === undefined
        ? []
        : [{ path: `/raise/${index}`, wanted: wantedLike(like, quantity), override, like }];
    }),
  ];
  if (units.length > 0) return ok(units);
  const errors = [{ path: '/add', code: 'required', message: 'must name units, or send raise or unexpected' }];
  return fail({ code: 'invalid_request', detail: 'The amendment adds no units.', errors });
};
