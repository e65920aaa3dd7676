import { wouldDecide } from '../policies/backtest/jurisdiction.ts';
import { outcomeOf, shadowedOutcomeOf, type Outcome } from '../policies/backtest/outcome.ts';
import { compile, type Compiled } from '../policies/evaluate/compile.ts';
import type { PolicyDocument } from '../policies/life/golden.ts';
import type { KeptDecision } from '../policies/decision/kept-decision.ts';
import { readDocument } from '../store/policies/policies.ts';
import type { Session } from '../store/engine/session.ts';
import type { BacktestJob } from '../store/jobs/job.ts';

type Version = { readonly document: PolicyDocument; readonly compiled: Compiled };

const ready = (document: PolicyDocument): Version => ({ document, compiled: compile(document) });

/** The versions that decided, each read and made ready once: those of some thousand decisions are few. */
const versionsOf = (session: Session) => {
  const known = new Map<string, Promise<Version | undefined>>();
  return async ({ policyId, version }: Pick<KeptDecision, 'policyId' | 'version'>): Promise<Version | undefined> => {
    const name = `${policyId}/${version}`;
    const found =
      known.get(name) ?? readDocument(session, policyId, version).then((document) => document && ready(document));
    known.set(name, found);
    return found;
  };
};

/** Compares decisions with the draft of a job. */
export const comparer = (session: Session, { request }: BacktestJob, document: PolicyDocument) => {
  const draft = ready(document);
  const versionOf = versionsOf(session);
  const { policyId, version } = request;
  return async (kept: KeptDecision): Promise<Outcome> => {
    const { id, facts, shadow } = kept;
    const isShadowed = shadow?.policyId === policyId && shadow.version === version;
    if (request.source === 'shadow' && !isShadowed) return { kind: 'other' };
    const decided = await versionOf(kept);
    if (decided === undefined) return { kind: 'failed', id, code: 'version_missing' };
    if (request.source === 'shadow' && isShadowed) return shadowedOutcomeOf(kept, decided.compiled, shadow);
    const { selectors } = decided.document;
    return wouldDecide(facts, { policyId: kept.policyId, selectors }, { policyId, selectors: document.selectors })
      ? outcomeOf(kept, decided.compiled, draft.compiled)
      : { kind: 'other' };
  };
};
