import { expected, isOnItsWay, outstanding, uninspected, type Model, type ModelLine, type World } from './model.ts';
import type { Verdict } from './step.ts';

export const undecidedIn = ['requested', 'info_requested'];
export const expectingIn = ['approved', 'in_transit', 'partially_received'];
export const approvedIn = [...expectingIn, 'received', 'inspected'];
export const endedIn = ['completed', 'rejected', 'cancelled', 'expired'];

export const no = (code: string): Verdict => ({ ok: false, code });

/** Where the goods are decides, once a return is approved. */
const derived = (model: Model): Model => {
  if (!approvedIn.includes(model.status)) return model;
  const some = (units: (line: ModelLine) => number) => model.lines.some((line) => units(line) > 0);
  if (!some((line) => line.received + line.missing)) {
    const moving = model.parcels.some(
      ({ direction, status, seen }) => direction === 'inbound' && seen && status !== 'cancelled',
    );
    return { ...model, status: moving ? 'in_transit' : 'approved' };
  }
  if (some(outstanding)) return { ...model, status: 'partially_received' };
  return { ...model, status: some(uninspected) ? 'received' : 'inspected' };
};

/** Units that are here, or called off, come in no parcel any more: the oldest parcel gives them first. */
const unpacked = (model: Model): Model => {
  const excess = model.lines.map((line, at) =>
    Math.max(0, expected(model, at) - Math.max(0, outstanding(line)) - line.missing),
  );
  const parcels = model.parcels.map((parcel) => {
    if (parcel.direction === 'outbound' || !isOnItsWay(parcel)) return parcel;
    const units = parcel.units.map((quantity, at) => {
      const taken = Math.min(quantity, excess[at] ?? 0);
      excess[at] = (excess[at] ?? 0) - taken;
      return quantity - taken;
    });
    return { ...parcel, units };
  });
  return { ...model, parcels };
};

/** Done: the world, with these changes in the return, and in what the model knows beyond it. */
export const yes = (world: World, now: Partial<Model>, beyond: Partial<World> = {}): Verdict => {
  const next = derived(unpacked({ ...world.now, ...now }));
  const hadReceipt = world.hadReceipt || ['partially_received', 'received', 'inspected'].includes(next.status);
  return { ok: true, world: { ...world, ...beyond, hadReceipt, now: next } };
};

/** A line with so many units more, or fewer. */
export const more = (line: ModelLine, by: Partial<ModelLine>): ModelLine => ({
  ...line,
  ...Object.fromEntries(Object.entries(by).map(([name, units]) => [name, line[name as keyof ModelLine] + units])),
});

export const named = (units: readonly number[]) => units.some((quantity) => quantity > 0);

/** Whether no line has fewer of something than are named. */
export const within = (units: readonly number[], { lines }: Model, maximum: (line: ModelLine, at: number) => number) =>
  lines.every((line, at) => (units[at] ?? 0) <= maximum(line, at));
