import { ok, type Result } from '../../contract/result.ts';
import type { Input } from '../../contract/contract.ts';
import type { Instant } from '../../returns/model/order.ts';
import type { Catalogue } from '../../policies/life/catalogue.ts';
import { changedFacts, type FactDigests } from '../../policies/decision/changed-facts.ts';
import type { Session } from '../../store/engine/session.ts';
import { openToken } from './eligibility-token.ts';
import { judge, judgeBy } from './judge.ts';
import type { Question, Ruling } from './ruling.ts';

/** What a policy says of a request, and which facts are others than those of the quote that promised it. */
export type Ruled = { readonly ruling: Ruling; readonly changed: readonly (keyof FactDigests)[] };

type Request = Pick<
  Input<'createReturn'>,
  'order' | 'lines' | 'basis' | 'channel' | 'initiatedBy' | 'isGift' | 'eligibilityToken'
>;

type Asked = Omit<Question, 'request'> & {
  readonly catalogue: Catalogue;
  readonly request: Request;
  readonly now: Instant;
};

/**
 * What the policy says of a request: the one that is for its order, or the one that a quote promised, as
 * of then. Undefined where no policy is for it.
 */
export const judgeRequest = async (
  session: Session,
  { catalogue, now, request, requestedAt, ...asked }: Asked,
): Promise<Result<Ruled | undefined>> => {
  const { eligibilityToken: token } = request;
  if (token === undefined) {
    const ruling = await judge(session, catalogue, { ...asked, request, requestedAt }, now);
    return ok(ruling && { ruling, changed: [] });
  }
  const promised = await openToken(token, request, now);
  if (!promised.ok) return promised;
  const { at, facts } = promised.value;
  const ruling = await judgeBy(session, promised.value, { ...asked, request, requestedAt: at });
  return ok(ruling && { ruling, changed: changedFacts(facts, ruling.facts) });
};
