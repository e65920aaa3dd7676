import type { Answer } from '../support/http-server.ts';
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

/** A permanent refusal. */
export const rejected = (reason: string, answer: Answer, more: Partial<Fault> = {}): Fault =>
  passing(reason, answer, { reason: `ClientRejected ${reason}`, retryAfter: '60', posts: 1, ...more });

/** A refused secret: AWSCURRENT, AWSPREVIOUS and AWSPENDING are read for another one. */
export const refused = (answer: Answer, reason = 'invalid_client'): Fault => rejected(reason, answer, { reads: 4 });

/** Lets one second pass: a handler waits that long for background work. */
const overdue = async ({ clock }: World) => {
  await clock.scheduled(second);
  clock.advance(second);
};

export const hanging = passing('timeout', 'hang', {
  wait: async ({ idp, clock }, before) => {
    await idp.server.received(before + 1);
    clock.advance(2_500);
    await idp.server.received(before + 2);
    clock.advance(2_500);
  },
  waitInBackground: async (world, before) => {
    await world.idp.server.received(before + 1);
    await overdue(world);
  },
  postsInBackground: 1,
});

export const dripping = (): Fault => {
  let begun: Promise<void> | undefined;
  return strange('timeout', 'drip', {
    arrange: ({ idp }) => {
      begun = bytesRead(idp.server.origin);
      idp.always = 'drip';
    },
    wait: async ({ clock, idp }, before) => {
      await begun;
      clock.advance(2_500);
      await idp.server.received(before + 2);
      clock.advance(2_500);
    },
    waitInBackground: async (world) => {
      await begun;
      await overdue(world);
    },
    posts: 2,
    postsInBackground: 1,
  });
};

export const down = passing('ECONNREFUSED', 'hang', {
  arrange: async ({ idp }) => idp.server.fall(),
  fix: async ({ idp }) => idp.server.rise(),
  posts: 0,
});
