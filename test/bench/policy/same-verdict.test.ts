import { describe, expect, it } from 'vitest';
import { candidates, type Decide } from './candidates.ts';
import { requestsFrom } from './requests.ts';
import { policy } from './rules.ts';

describe('policy engines of the bench', () => {
  it('return the same verdict for each request, and every verdict occurs', async () => {
    expect(policy.rules).toHaveLength(50);
    const requests = requestsFrom(1, 400);
    const verdictsOf = (name: keyof typeof candidates) => {
      const decide: Decide = candidates[name]();
      return Promise.all(requests.map(async (request) => decide(request)));
    };
    const ours = await verdictsOf('ours');
    expect(await verdictsOf('json-rules-engine')).toEqual(ours);
    expect(await verdictsOf('json-logic-engine')).toEqual(ours);
    for (const verdict of ['approved', 'needs_review', 'rejected'] as const)
      expect(ours.filter((one) => one === verdict).length).toBeGreaterThan(20);
  });
});
