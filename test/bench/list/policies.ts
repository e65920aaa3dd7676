import { ulid } from 'ulid';
import type { CataloguedPolicy } from '../../../lib/domain/policies/lifecycle/catalogue.ts';
import { writeCatalogue } from '../../../lib/store/policies/policies.ts';
import { seeded } from '../../support/seeded.ts';
import { itemIn } from '../service/items.ts';

const begin = Date.parse('2026-01-01T00:00:00Z');
const hour = 3_600_000;
const instant = (number: number): string => new Date(begin + number * hour).toISOString();

/** Returns a policy with two published versions, of which the second replaces the first, and a draft. */
const policyOf = (number: number): CataloguedPolicy => ({
  id: `pol_${ulid(begin + number * hour, seeded(number + 1))}`,
  name: `Returns of shop ${number}`,
  revision: 6,
  createdAt: instant(number),
  updatedAt: instant(number + 3),
  latest: 3,
  draft: true,
  published: [
    {
      version: 1,
      selectors: { channels: [`shop-${number}`] },
      effectiveFrom: instant(number + 1),
      effectiveUntil: instant(number + 2),
      supersededBy: 2,
    },
    { version: 2, selectors: { channels: [`shop-${number}`] }, effectiveFrom: instant(number + 2) },
  ],
  happened: 3,
});

/** Returns the items of this number of policies. */
export const policyItems = (policies: number) => {
  const all = Array.from({ length: policies }, (_, number) => policyOf(number));
  return itemIn(writeCatalogue({ version: policies, policies: all }));
};
