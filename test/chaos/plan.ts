/*
 * The plan of faults from a seed: what fails, how and when. It is pure, so the same seed and length give the same
 * plan. The order in which requests meet a fault still differs between runs.
 */

/** The dependencies with a proxy at their wire. `service` is the Returns Service as the connected mode calls it. */
export const services = [
  'dynamodb',
  'sqs',
  's3',
  'eventbridge',
  'secrets',
  'token',
  'service',
  'shop',
  'receiver',
  'other receiver',
] as const;
export type ServiceName = (typeof services)[number];

/**
 * How a dependency fails. `lost-reply`: it acts and its answer is lost. `hang`: it accepts a request and never answers.
 * `stop`: it refuses connections.
 */
export const serviceFaults = ['slow', 'reset', 'lost-reply', 'throttle', 'wrong', 'hang', 'stop'] as const;
export type ServiceFault = (typeof serviceFaults)[number];

/** The functions of a mode. `freeze`: no code runs, as between two events of Lambda. `kill`: they die in their work. */
export const modeFaults = ['kill', 'freeze'] as const;
export type ModeFault = (typeof modeFaults)[number];
export type ModeName = 'connected' | 'standalone';

type Span = { readonly atMs: number; readonly forMs: number };

/** A time in which a target fails. `share` of the requests meet the fault. */
export type Fault = Span &
  (
    | { readonly target: ServiceName; readonly kind: ServiceFault; readonly share: number }
    | { readonly target: ModeName; readonly kind: ModeFault }
  );

type Card =
  | { readonly target: ServiceName; readonly kind: ServiceFault }
  | { readonly target: ModeName; readonly kind: ModeFault };

/** Every fault of every target once. The two modes fail in one way each for every few dependencies. */
const deck: readonly Card[] = [
  ...services.flatMap((target) => serviceFaults.map((kind) => ({ target, kind }))),
  ...(['connected', 'standalone'] as const).flatMap((target) => modeFaults.map((kind) => ({ target, kind }))),
];

const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, sortKey: random() }))
    .toSorted((a, b) => a.sortKey - b.sortKey)
    .map(({ item }) => item);

/** Whether the functions of a mode fail, and not a dependency. */
const isOfMode = (card: Card): card is Extract<Card, { readonly target: ModeName }> =>
  card.target === 'connected' || card.target === 'standalone';

/** Faults at the same time. */
const lanes = 3;

const between = (low: number, high: number, random: () => number): number => Math.round(low + random() * (high - low));

/** A dead mode is started again at once, and a frozen one continues after this time. */
const lengthOf = ({ kind }: Card, random: () => number): number => {
  if (kind === 'kill') return between(200, 1_000, random);
  // Longer than an attempt at the table, shorter than the timeout of a function.
  if (kind === 'freeze') return between(300, 4_000, random);
  return between(400, 3_000, random);
};

/**
 * Returns the faults of a run in the order of their begin. Every fault of every target comes once before any comes
 * again. A target has one fault at a time.
 *
 * @param seconds length of the run; the last fault ends within it
 * @param random uniform in [0, 1)
 */
export const planFaults = (seconds: number, random: () => number): readonly Fault[] => {
  const endMs = seconds * 1_000;
  const busyUntil = new Map<string, number>();
  const laneAt = Array.from({ length: lanes }, () => between(300, 1_500, random));
  const faults: Fault[] = [];
  let cards = shuffled(deck, random);
  for (;;) {
    const lane = laneAt.indexOf(Math.min(...laneAt));
    const atMs = laneAt[lane] ?? endMs;
    const index = cards.findIndex(({ target }) => (busyUntil.get(target) ?? 0) <= atMs);
    const [card] = cards.splice(Math.max(0, index), 1);
    if (card === undefined) {
      cards = shuffled(deck, random);
      continue;
    }
    const begin = Math.max(atMs, busyUntil.get(card.target) ?? 0);
    const forMs = lengthOf(card, random);
    if (begin + forMs > endMs) return faults.toSorted((a, b) => a.atMs - b.atMs);
    busyUntil.set(card.target, begin + forMs);
    laneAt[lane] = begin + forMs + between(200, 1_200, random);
    const span = { atMs: begin, forMs };
    const share = between(3, 10, random) / 10;
    faults.push(isOfMode(card) ? { ...card, ...span } : { ...card, ...span, share });
  }
};
