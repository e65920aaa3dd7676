import { outstanding, uninspected, type Model, type ModelLine, type World } from './model.ts';
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
      ({ direction, status }) => direction === 'inbound' && ['in_transit', 'delivered', 'exception'].includes(status),
    );
    return { ...model, status: moving ? 'in_transit' : 'approved' };
  }
  if (some(outstanding)) return { ...model, status: 'partially_received' };
  return { ...model, status: some(uninspected) ? 'received' : 'inspected' };
};

/** Done: the world, with these changes in the return, and in what the model knows beyond it. */
export const yes = (world: World, now: Partial<Model>, beyond: Partial<World> = {}): Verdict => ({
  ok: true,
  world: { ...world, ...beyond, now: derived({ ...world.now, ...now }) },
});

/** A line with so many units more, or fewer. */
export const more = (line: ModelLine, by: Partial<ModelLine>): ModelLine => ({
  ...line,
  ...Object.fromEntries(Object.entries(by).map(([name, units]) => [name, line[name as keyof ModelLine] + units])),
});

export const named = (units: readonly number[]) => units.some((quantity) => quantity > 0);

/** Whether no line has fewer of something than are named. */
export const within = (units: readonly number[], { lines }: Model, most: (line: ModelLine, at: number) => number) =>
  lines.every((line, at) => (units[at] ?? 0) <= most(line, at));
