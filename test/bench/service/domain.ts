import { approve } from '../../../lib/returns/commands/request/review-request.ts';
import type { Entry } from '../../../lib/returns/history/entry.ts';
import { fold } from '../../../lib/returns/history/fold.ts';
import { appendEntries, entryHash } from '../../../lib/returns/history/history.ts';
import { emptyLedger } from '../../../lib/returns/money/ledger.ts';
import type { Settings } from '../settings.ts';
import { quantile } from '../statistics.ts';
import { orderOf, requested } from './seeds.ts';

/** Executions per second on one core: the median of the rounds. */
export type DomainSpeed = { readonly decideAndFold: number; readonly hash: number; readonly whole: number };

const lines = 5;
const times = 500;

const perSecond = (work: () => void): number => {
  const startedAt = performance.now();
  for (let count = 0; count < times; count += 1) work();
  return (times * 1000) / (performance.now() - startedAt);
};

/** Measures only the domain: approval of a return of five lines, hash of its entry, and both together. */
export const measureDomain = ({ rounds, warmUp }: Settings): DomainSpeed => {
  const order = orderOf(0, lines);
  const { grown, ledger } = requested(order, emptyLedger, 0);
  const { state } = grown;
  const now = '2026-11-21T08:00:00.000Z';
  const situation = { state, order, ledger, now, admin: false };
  const made = { at: now, actor: { clientId: 'bench' }, causationId: '1', correlationId: '1', policyVersion: null };
  const decide = () => {
    const decision = approve(situation, {});
    if (!decision.ok) throw new Error('the bench approves what cannot be approved');
    return decision.value.events;
  };
  const entry = appendEntries(state, decide(), made).entries[0] as Entry;
  const { hash: _, ...unhashed } = entry;
  const works = {
    decideAndFold: () => {
      decide();
      fold(state, entry);
    },
    hash: () => void entryHash(unhashed),
    whole: () => void appendEntries(state, decide(), made),
  };
  const median = (work: () => void): number => {
    for (let round = 0; round < warmUp; round += 1) perSecond(work);
    return quantile(
      Array.from({ length: rounds }, () => perSecond(work)),
      0.5,
    );
  };
  return { decideAndFold: median(works.decideAndFold), hash: median(works.hash), whole: median(works.whole) };
};
