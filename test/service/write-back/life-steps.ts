import fc from 'fast-check';
import type { Kill } from './kill.ts';

/** What happens in the life of an order, here or at its shop. */
export type LifeStep =
  | { readonly kind: 'create'; readonly line: number; readonly quantity: number }
  /** A person runs a command on a return. */
  | { readonly kind: 'act'; readonly at: number; readonly choice: number }
  /** Workers get the order. */
  | { readonly kind: 'work'; readonly workers: 1 | 2; readonly fault?: number; readonly kill?: Kill }
  /** The shop reports its state: once, twice, or late (0 times now). A report that is lost is a life without this step. */
  | { readonly kind: 'report'; readonly from: number; readonly times: 0 | 1 | 2 }
  | { readonly kind: 'wait'; readonly minutes: number }
  /** A clerk pays a pending refund of ours at the shop. */
  | { readonly kind: 'clerk'; readonly at: number };

export type Chances = {
  /** How often a worker meets a fault of the wire, from 0 to 1. */
  readonly faults: number;
  /** How often a worker ends between two awaits, from 0 to 1. */
  readonly kills: number;
  /** How often a clerk does something at the shop, from 0 to 1. */
  readonly clerks: number;
};

const sometimes = <Value>(chance: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof(
    { weight: Math.round((1 - chance) * 1000), arbitrary: fc.constant(undefined) },
    { weight: Math.round(chance * 1000), arbitrary },
  );

const kill: fc.Arbitrary<Kill> = fc.record({ call: fc.nat(12), isAfter: fc.boolean() });

const work = ({ faults, kills }: Chances): fc.Arbitrary<LifeStep> =>
  fc
    .record({
      workers: fc.constantFrom<1 | 2>(1, 1, 2),
      fault: sometimes(faults, fc.nat(1000)),
      kill: sometimes(kills, kill),
    })
    .map(({ workers, fault, kill: end }) => ({
      kind: 'work',
      workers,
      ...(fault !== undefined && { fault }),
      ...(end !== undefined && { kill: end }),
    }));

/** Returns lives of an order: each begins with a return. */
export const lives = (chances: Chances, maxLength = 28): fc.Arbitrary<readonly LifeStep[]> => {
  const create: fc.Arbitrary<LifeStep> = fc.record({
    kind: fc.constant('create' as const),
    line: fc.nat(3),
    quantity: fc.integer({ min: 1, max: 2 }),
  });
  const steps = fc.oneof(
    { weight: 6, arbitrary: create },
    {
      weight: 45,
      arbitrary: fc.record({ kind: fc.constant('act' as const), at: fc.nat(3), choice: fc.nat(1000) }),
    },
    { weight: 28, arbitrary: work(chances) },
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant('report' as const),
        from: fc.nat(5),
        times: fc.constantFrom<0 | 1 | 2>(0, 1, 1, 2),
      }),
    },
    {
      weight: 9,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 3, 10, 90, 1500) }),
    },
    {
      weight: Math.round(chances.clerks * 100),
      arbitrary: fc.record({ kind: fc.constant('clerk' as const), at: fc.nat(3) }),
    },
  );
  return fc
    .tuple(create, fc.array(steps, { minLength: 8, maxLength, size: 'max' }))
    .map(([first, others]) => [first, ...others]);
};

/** Two equal refunds are wanted, and a clerk pays one of them at the shop, which reports it. The other one is still due. */
export const clerkPaysOneOfTwo: readonly LifeStep[] = [
  ...[0, 1].flatMap((at): LifeStep[] => [
    { kind: 'create', line: 0, quantity: 1 },
    ...Array.from({ length: 4 }, (): LifeStep => ({ kind: 'act', at, choice: 1 })),
  ]),
  { kind: 'clerk', at: 0 },
  { kind: 'report', from: 0, times: 1 },
  { kind: 'work', workers: 1 },
];
