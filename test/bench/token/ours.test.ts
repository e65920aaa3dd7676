import { describe, expect, it } from 'vitest';
import type { Container } from '../container.ts';
import type { Candidate } from '../candidates.ts';
import { startRemote } from '../remote.ts';
import { startWorld } from '../world.ts';
import { event, own, refresher, sharing } from './candidates.ts';
import { count, expectedOfDay } from './counts.ts';
import { environmentOf } from './environment.ts';
import { faults } from './fault-scenarios.ts';
import { withTrial } from './trial.ts';
import { sample } from '../../support/samples.ts';

describe('token requests of the built function', () => {
  /* The counts of the bench for the built function are exact. These tests prevent an unnoticed change. */

  it.each(['burst of 1', 'burst of 50', 'burst of 1000'] as const)(
    'a %s reads the secret once and requests one token',
    async (situation) => {
      expect(await count(own, situation)).toEqual({ tokenRequests: 1, secretReads: 1, failed: 0 });
    },
  );

  it('a day with a call a minute requests a token each R and reads the secret each TTL', async () => {
    expect(await count(own, 'a day, a call a minute')).toEqual({ ...expectedOfDay, failed: 0 });
  });

  const promised = faults.flatMap(({ name, maximum, undergo }) =>
    maximum === undefined ? [] : [[name, maximum, undergo] as const],
  );

  it.each(sample(promised, 2))('%s: at most %d', async (_, maximum, undergo) => {
    expect((await withTrial(own, undergo)).value).toBeLessThanOrEqual(maximum);
  });

  it('50 concurrent calls with an expired token request one', async () => {
    const fault = faults.find(({ name }) => name.startsWith('50 calls at once'));
    expect(await withTrial(own, async (trial) => fault?.undergo(trial))).toEqual({ text: '1', value: 1 });
  });

  it('calls with a shared token request none', async () => {
    await using world = await startWorld();
    const invoke = async ({ file, environment }: Candidate, event: string) => {
      const besides = { ...environmentOf(world.origins), ...environment };
      await using container = startRemote<Container>('container.ts', { environment: besides, cpu: undefined });
      await container.call('load', { file });
      return await container.call('invoke', { event });
    };
    await invoke(refresher, '{}');
    expect(world.counts.tokenRequests).toBe(1);
    expect(await invoke(sharing, event)).toMatchObject({ statusCode: 200 });
    expect(world.counts.tokenRequests).toBe(1);
    expect(await invoke(own, event)).toMatchObject({ statusCode: 200 });
    expect(world.counts.tokenRequests).toBe(2);
  });
});
