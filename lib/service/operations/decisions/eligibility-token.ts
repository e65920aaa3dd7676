import type { Input } from '../../../contract/contract.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { openSigned, sign } from '../../execution/signed-text.ts';
import type { SigningPurpose } from '../../execution/signer.ts';
import { factDigests, type FactDigests } from '../../../domain/policies/decision/stored-decision.ts';
import type { Candidate } from '../../../domain/policies/lifecycle/in-force.ts';
import { sha256Of } from '../../../domain/returns/history/canonical-json.ts';
import type { Instant } from '../../../domain/returns/model/order.ts';
import type { PolicyDecision } from './policy-decision.ts';

/** The content of a token: the policy version and the time of the evaluation, valid until `expiresAt`. */
export type EligibilityTokenPayload = Candidate & {
  readonly at: Instant;
  readonly expiresAt: Instant;
  readonly facts: FactDigests;
};

/** Enough time to fill in a form. */
const lifetimeMs = 15 * 60_000;

type EligibilityTokenRequest = Pick<
  Input<'createReturn'>,
  'order' | 'lines' | 'basis' | 'channel' | 'initiatedBy' | 'isGift'
>;

/** Binds a token to the request, not to the client: one client may quote and another one create. */
const purposeOf = ({
  order,
  lines,
  basis,
  channel,
  initiatedBy = 'agent',
  isGift,
}: EligibilityTokenRequest): SigningPurpose => [
  'eligibility',
  sha256Of({ order, lines, basis, channel, initiatedBy, isGift }),
];

/** Issues a token for the policy decision on a request. */
export const issueToken = async (
  request: EligibilityTokenRequest,
  { policyId, version, facts }: Pick<PolicyDecision, 'policyId' | 'version' | 'facts'>,
): Promise<Result<{ readonly eligibilityToken: string; readonly expiresAt: Instant }>> => {
  const at = facts.requestedAt;
  const expiresAt = new Date(Date.parse(at) + lifetimeMs).toISOString();
  const promised: EligibilityTokenPayload = { policyId, version, at, expiresAt, facts: factDigests(facts) };
  const token = await sign(JSON.stringify(promised), purposeOf(request));
  return token.ok ? ok({ eligibilityToken: token.value, expiresAt }) : token;
};

const path = '/eligibilityToken';

/** Opens a token for a request. */
export const openToken = async (
  token: string,
  request: EligibilityTokenRequest,
  now: Instant,
): Promise<Result<EligibilityTokenPayload>> => {
  const text = await openSigned(token, purposeOf(request));
  if (!text.ok) return text;
  if (text.value === undefined)
    return fail({
      code: 'invalid_request',
      detail: 'The eligibility token belongs to another request.',
      errors: [{ path, code: 'token', message: 'must be the eligibilityToken of a quote for the same request' }],
    });
  // This service signed and wrote the text, so its shape is known.
  const promised = JSON.parse(text.value) as EligibilityTokenPayload;
  if (promised.expiresAt <= now)
    return fail({
      code: 'quote_stale',
      detail: `The quote expired at ${promised.expiresAt}. Request a new quote.`,
      errors: [{ path, code: 'expired', message: 'must be from a new quote, or absent' }],
    });
  return ok(promised);
};
