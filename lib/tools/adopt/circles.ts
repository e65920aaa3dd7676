import type { Place } from './pointer.ts';

/** A place whose references are followed. */
type Open = {
  readonly at: string;
  readonly targets: readonly Place[];
  next: number;
  /** The lowest number that the place reaches, among those without a circle so far. */
  low: number;
};

/**
 * Finds circles of references: a place of a circle reaches each other place of it. All calls together follow each
 * reference once (Tarjan 1972), without recursion.
 *
 * @returns whether two places are in one circle
 */
export const openCircles = (
  referencesOf: (place: Place) => readonly Place[],
): ((place: Place, other: Place) => boolean) => {
  const numbers = new Map<string, number>();
  const circles = new Map<string, string>();
  const unfinished: string[] = [];

  const open = (place: Place): Open => {
    const number = numbers.size;
    numbers.set(place.at, number);
    unfinished.push(place.at);
    return { at: place.at, targets: referencesOf(place), next: 0, low: number };
  };

  const close = ({ at, low }: Open, from: Open | undefined): void => {
    if (from !== undefined) from.low = Math.min(from.low, low);
    if (low !== numbers.get(at)) return;
    for (const member of unfinished.splice(unfinished.lastIndexOf(at))) circles.set(member, at);
  };

  const circleOf = (start: Place): string | undefined => {
    const stack = numbers.has(start.at) ? [] : [open(start)];
    for (let place = stack.at(-1); place !== undefined; place = stack.at(-1)) {
      const target = place.targets[place.next];
      place.next += 1;
      if (target === undefined) {
        stack.pop();
        close(place, stack.at(-1));
      } else if (!numbers.has(target.at)) stack.push(open(target));
      else if (!circles.has(target.at)) place.low = Math.min(place.low, numbers.get(target.at) ?? 0);
    }
    return circles.get(start.at);
  };

  return (place, other) => circleOf(place) === circleOf(other);
};
