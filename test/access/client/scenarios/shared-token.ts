import { awsError, startFleet, type Fleet } from '../../oauth/fleet.ts';
import { marker, minute, type Harness } from '../../oauth/harness.ts';
import type { Scenarios } from './scenario.ts';

/** Starts a container 10 minutes after a run of the refresher. */
const startAfterRefresh = async ({ onEvent }: Harness, spoil?: (fleet: Fleet) => unknown) => {
  await using fleet = await startFleet();
  await fleet.refresh();
  fleet.clock.advance(10 * minute);
  spoil?.(fleet);
  await fleet.start(fleet.clock, onEvent).text();
};

export const sharedTokenScenarios = {
  'shared token read': [
    {
      name: 'which is good',
      run: async (harness) => startAfterRefresh(harness),
      line: { outcome: 'used', ageMs: 10 * minute },
      metrics: { SharedTokenUsed: 1, TokenWait: 'some ms' },
    },
    {
      name: 'of which there is none yet, without an effect',
      run: async (harness) => startAfterRefresh(harness, ({ versions }) => versions.delete('shared-read')),
      line: { outcome: 'ResourceNotFoundException' },
      metrics: { SharedTokenNotUsed: 1, TokenFetched: 'some ms' },
      reasons: ['SharedTokenNotUsed ResourceNotFoundException'],
    },
    {
      name: 'which is spoiled',
      run: async (harness) => startAfterRefresh(harness, (fleet) => fleet.put('shared-read', `{"token":"${marker}"}`)),
      level: 'warn',
      line: { outcome: 'malformed' },
      metrics: { SharedTokenNotUsed: 1, TokenFetched: 'some ms' },
      reasons: ['SharedTokenNotUsed malformed'],
    },
    {
      name: 'which may not be read',
      run: async (harness) =>
        startAfterRefresh(harness, ({ faults }) => faults.set('shared-read', awsError('AccessDeniedException'))),
      level: 'warn',
      line: { outcome: 'AccessDeniedException' },
      metrics: { SharedTokenNotUsed: 1, TokenFetched: 'some ms' },
      reasons: ['SharedTokenNotUsed AccessDeniedException'],
    },
  ],
} satisfies Scenarios<'shared token read'>;
