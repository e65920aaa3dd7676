import { withSupersededEvents, type PolicyEventMetadata } from '../../domain/events/domain-events.ts';
import { log } from '../../runtime/log.ts';
import { withPolicy, type CataloguedPolicy } from '../../domain/policies/lifecycle/catalogue.ts';
import { policyPartition } from '../../store/engine/keys.ts';
import { writeDomainEvent } from '../../store/events/outbox.ts';
import { readCatalogue, writeCatalogue } from '../../store/policies/policies.ts';
import { transact } from '../../store/engine/transact.ts';
import { openRun, type Remaining, type Run } from './run.ts';

const name = 'activate-policies';

/** Attempts when concurrent writers publish. Then the next run continues. */
const maxRaces = 5;

const isLate = ({ end }: Run): boolean => Date.now() + 1_000 > end;

/** Emits the policy.superseded events of one policy and returns their number. */
const emitSuperseded = async (run: Run, policyId: string, cause: PolicyEventMetadata): Promise<number> => {
  for (let races = 0; races < maxRaces; races += 1) {
    const catalogue = await readCatalogue(run.session);
    const policy = catalogue.policies.find(({ id }) => id === policyId);
    const payload = policy && withSupersededEvents(policy, cause);
    if (payload === undefined || payload.domainEvents.length === 0) return 0;
    const { written } = await transact(run.session, [
      writeCatalogue(withPolicy(catalogue, payload.policy)),
      ...payload.domainEvents.map((domainEvent) => writeDomainEvent(policyPartition(policyId), domainEvent)),
    ]);
    if (written) return payload.domainEvents.length;
  }
  return 0;
};

/**
 * Emits `policy.superseded` for policy versions that a later version has replaced.
 * The time of a decision selects its version, so a late event affects no decision. The transaction that emits an event
 * marks the version. Two concurrent runs emit it once, and a late run emits all missing events.
 *
 * @param at the time of the run, in epoch milliseconds
 */
export const activatePolicies = async (
  _event: unknown,
  context: Remaining,
  at = Date.now(),
): Promise<{ readonly emitted: number }> => {
  using run = openRun(name, context, at);
  const { caller, causationId, traceId } = run.call('returns:write');
  const cause = { at: run.now, actor: { clientId: caller.clientId }, causationId, correlationId: traceId };
  const hasNewEvents = (policy: CataloguedPolicy) => withSupersededEvents(policy, cause).domainEvents.length > 0;
  const { policies } = await readCatalogue(run.session);
  let emitted = 0;
  for (const { id } of policies.filter(hasNewEvents)) {
    if (isLate(run)) break;
    emitted += await emitSuperseded(run, id, cause);
  }
  if (emitted > 0) log('info', 'policy superseded events emitted', { emitted });
  return { emitted };
};
