import { withSupersededEvents, type PolicyEventMetadata } from '../events/domain-events.ts';
import { log } from '../runtime/log.ts';
import { withPolicy, type CataloguedPolicy } from '../policies/life/catalogue.ts';
import { policyPartition } from '../store/engine/keys.ts';
import { writeDomainEvent } from '../store/events/outbox.ts';
import { readCatalogue, writeCatalogue } from '../store/policies/policies.ts';
import { transact } from '../store/engine/transact.ts';
import { openRun, type Remaining, type Run } from './run.ts';

const name = 'activate-policies';

/** Somebody else may publish meanwhile: this often it is looked at anew, and then left to the next run. */
const maxRaces = 5;

const isLate = ({ end }: Run): boolean => Date.now() + 1_000 > end;

/** Tells what one policy has to tell; how much that was. */
const emitSuperseded = async (run: Run, policyId: string, cause: PolicyEventMetadata): Promise<number> => {
  for (let races = 0; races < maxRaces; races += 1) {
    const catalogue = await readCatalogue(run.session);
    const policy = catalogue.policies.find(({ id }) => id === policyId);
    const told = policy && withSupersededEvents(policy, cause);
    if (told === undefined || told.domainEvents.length === 0) return 0;
    const { written } = await transact(run.session, [
      writeCatalogue(withPolicy(catalogue, told.policy)),
      ...told.domainEvents.map((happening) => writeDomainEvent(policyPartition(policyId), happening)),
    ]);
    if (written) return told.domainEvents.length;
  }
  return 0;
};

/**
 * Tells of versions of policies that others have taken the place of, as their dates came. Which version decides follows
 * from the time at which it is asked, and waits for nobody: this is the telling alone. It is marked in the transaction that
 * tells it, so that two runs at once tell it once, and a run that is days late tells all that came in between.
 *
 * @param at epoch milliseconds by which dates have come
 */
export const activatePolicies = async (
  _event: unknown,
  context: Remaining,
  at = Date.now(),
): Promise<{ readonly told: number }> => {
  using run = openRun(name, context, at);
  const { caller, causationId, traceId } = run.call('returns:write');
  const cause = { at: run.now, actor: { clientId: caller.clientId }, causationId, correlationId: traceId };
  const hasNews = (policy: CataloguedPolicy) => withSupersededEvents(policy, cause).domainEvents.length > 0;
  const { policies } = await readCatalogue(run.session);
  let told = 0;
  for (const { id } of policies.filter(hasNews)) {
    if (isLate(run)) break;
    told += await emitSuperseded(run, id, cause);
  }
  if (told > 0) log('info', 'successions told', { told });
  return { told };
};
