import { sha256Of } from '../../returns/history/canonical-json.ts';
import type { Facts } from '../facts.ts';

/** What tells the facts of one time from those of another, part by part: short, so that a token holds it. */
export type FactDigests = Readonly<Record<'order' | 'customer' | 'return' | 'lines', string>>;

const digestLength = 16;

const short = (part: unknown): string => sha256Of(part).slice(0, digestLength);

export const factDigests = ({ order, customer, return: asked, lines }: Facts): FactDigests => {
  return { order: short(order), customer: short(customer), return: short(asked), lines: short(lines) };
};

/** The parts of the facts that are others than they were. */
export const changedFacts = (before: FactDigests, facts: Facts): readonly (keyof FactDigests)[] => {
  const now = factDigests(facts);
  return (['order', 'customer', 'return', 'lines'] as const).filter((part) => before[part] !== now[part]);
};
