import { optional } from './fields.ts';
import type { OrderFacts } from '../../platform.ts';
import { clip, countryCode } from './text.ts';

/** Who bought it: a platform's id for them, and whatever it tells of address and names. */
type Told = {
  readonly id?: string | undefined;
  readonly email?: unknown;
  /** As they are spoken in order; what is no text is left out. */
  readonly names?: readonly unknown[];
};

/** The customer of an order in the contract's words; nothing where nothing is told. */
export const customerFacts = ({ id, email, names = [] }: Told): OrderFacts['customer'] => {
  const facts = {
    ...optional('id', id),
    ...optional('email', clip(email, 320)),
    ...optional('name', clip(names.flatMap((name) => clip(name, 200) ?? []).join(' '), 200)),
  };
  return Object.keys(facts).length === 0 ? undefined : facts;
};

/** Where an order went, by the two letters of a country (ISO 3166-1); nothing where that is none. */
export const destinationFacts = (country: unknown, region: unknown): OrderFacts['destination'] => {
  const code = countryCode(country);
  return code === undefined ? undefined : { country: code, ...optional('region', clip(region, 100)) };
};
