import type { Answer } from '../../support/http-server.ts';
import { bytesRead, second } from './harness.ts';
import type { Fault } from './three-states.ts';
import type { World } from './world.ts';

/** A temporary fault: two attempts, then a pause that starts short. */
export const passing = (reason: string, answer: Answer, more: Partial<Fault> = {}): Fault => ({
  arrange: ({ idp }) => void (idp.always = answer),
  fix: ({ idp }) => void (idp.always = undefined),
  reason: `IdpUnavailable ${reason}`,
  retryAfter: '1',
  posts: 2,
  reads: 1,
  ...more,
});

/** A response that no token endpoint sends. */
export const strange = (reason: string, answer: Answer, more: Partial<Fault> = {}): Fault =>
  passing(reason, answer, { reason: `IdpProtocol ${reason}`, posts: 1, ...more });

/** A permanent rejection. */
export const rejected = (reason: string, answer: Answer, more: Partial<Fault> = {}): Fault =>
  passing(reason, answer, { reason: `ClientRejected ${reason}`, retryAfter: '60', posts: 1, ...more });

/** A rejected secret: AWSCURRENT, AWSPREVIOUS and AWSPENDING are read for another one. */
export const rejectedSecret = (answer: Answer, reason = 'invalid_client'): Fault =>
  rejected(reason, answer, { reads: 4 });

/** Makes calls until the five seconds of a request are over. A handler waits one second each time. */
const callsInBackground = 4;
const runOutInBackground = async (world: World, before: number, first: Promise<void>) => {
  const { clock, idp } = world;
  for (let count = 0; count <= callsInBackground; count += 1) {
    if (count > 0) await world.call();
    const draining = count > 0 ? world.drain() : first;
    await clock.scheduled(second);
    clock.advance(second);
    if (count === 2) await idp.server.received(before + 2);
    await draining;
  }
};

export const hanging = passing('timeout', 'hang', {
  wait: async ({ idp, clock }, before) => {
    await idp.server.received(before + 1);
    clock.advance(2_500);
    await idp.server.received(before + 2);
    clock.advance(2_500);
  },
  waitInBackground: async (world, before, draining) => {
    await world.idp.server.received(before + 1);
    await runOutInBackground(world, before, draining);
  },
  callsInBackground,
  reads: 2,
});

export const dripping = (): Fault => {
  let started: Promise<void> | undefined;
  return strange('timeout', 'drip', {
    arrange: ({ idp }) => {
      started = bytesRead(idp.server.origin);
      idp.always = 'drip';
    },
    wait: async ({ clock, idp }, before) => {
      await started;
      clock.advance(2_500);
      await idp.server.received(before + 2);
      clock.advance(2_500);
    },
    waitInBackground: async (world, before, draining) => {
      await started;
      await runOutInBackground(world, before, draining);
    },
    callsInBackground,
    posts: 2,
  });
};

export const down = passing('ECONNREFUSED', 'hang', {
  arrange: async ({ idp }) => idp.server.fall(),
  fix: async ({ idp }) => idp.server.rise(),
  posts: 0,
  reads: 2,
});
