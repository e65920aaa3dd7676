import { expected, isOnItsWay, outstanding, uninspected, type Model, type ModelLine, type World } from './model.ts';
import type { Verdict } from './step.ts';

export const undecidedIn = ['requested', 'info_requested'];
export const expectingIn = ['approved', 'in_transit', 'partially_received'];
export const approvedIn = [...expectingIn, 'received', 'inspected'];
export const endedIn = ['completed', 'rejected', 'cancelled', 'expired'];

export const no = (code: string): Verdict => ({ ok: false, code });

/** Derives the status from the goods after the approval. */
const derived = (model: Model): Model => {
  if (!approvedIn.includes(model.status)) return model;
  const some = (units: (line: ModelLine) => number) => model.lines.some((line) => units(line) > 0);
  if (!some((line) => line.received + line.missing)) {
    const moving = model.parcels.some(
      ({ direction, status, wasInTransit }) => direction === 'inbound' && wasInTransit && status !== 'cancelled',
    );
    return { ...model, status: moving ? 'in_transit' : 'approved' };
  }
  if (some(outstanding)) return { ...model, status: 'partially_received' };
  return { ...model, status: some(uninspected) ? 'received' : 'inspected' };
};

/** Removes received and cancelled units from the parcels, the oldest parcel first. */
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

/** Returns success: the world with these changes to the return and to the model's other knowledge. */
export const yes = (world: World, now: Partial<Model>, beyond: Partial<World> = {}): Verdict => {
  const next = derived(unpacked({ ...world.now, ...now }));
  const hadReceipt = world.hadReceipt || ['partially_received', 'received', 'inspected'].includes(next.status);
  return { ok: true, world: { ...world, ...beyond, hadReceipt, now: next } };
};

/** Returns the line with these changes added to its units. */
export const more = (line: ModelLine, by: Partial<ModelLine>): ModelLine => ({
  ...line,
  ...Object.fromEntries(Object.entries(by).map(([name, units]) => [name, line[name as keyof ModelLine] + units])),
});

export const named = (units: readonly number[]) => units.some((quantity) => quantity > 0);

/** Returns whether every line has at least the given units. */
export const within = (units: readonly number[], { lines }: Model, maximum: (line: ModelLine, at: number) => number) =>
  lines.every((line, at) => (units[at] ?? 0) <= maximum(line, at));
