import { termsConfig } from './terms-config.ts';
import { configured } from '../../runtime/container.ts';
import type { Instant, Order } from '../../returns/model/order.ts';
import { isBetter } from '../../policies/decision/better.ts';
import type { Catalogue } from '../../policies/life/catalogue.ts';
import { compile, type Compiled } from '../../policies/evaluate/compile.ts';
import { evaluate } from '../../policies/evaluate/evaluate.ts';
import { factsOf } from '../../policies/decision/facts-of.ts';
import type { Facts } from '../../policies/facts.ts';
import type { PolicyDocument } from '../../policies/life/golden.ts';
import { inForce, type Candidate } from '../../policies/life/in-force.ts';
import { selectedBy } from '../../policies/life/selection.ts';
import { rightsOf } from '../../policies/law/rights.ts';
import { readDocument } from '../../store/policies/policies.ts';
import type { Session } from '../../store/engine/session.ts';
import { customerFacts } from './customer-facts.ts';
import type { Question, Ruling } from './ruling.ts';

const config = configured(termsConfig);

/** What is decided on, with what is known of the customer; undefined for lines that the order does not have. */
export const factsWith = (
  { order, request, requestedAt, reasons }: Question,
  customer: Facts['customer'],
): Facts | undefined =>
  factsOf(order, request, {
    requestedAt,
    rights: rightsOf(config().statutoryRules, order, request, requestedAt),
    faultOf: (code) => reasons.get(code)?.fault,
    customer,
  });

const compiledOnce = new WeakMap<PolicyDocument, Compiled>();

/** A document made ready: published ones are kept by the container, and with them what was made of them. */
export const readied = (document: PolicyDocument): Compiled => {
  const known = compiledOnce.get(document) ?? compile(document);
  compiledOnce.set(document, known);
  return known;
};

/** What a document says, as a version of a policy; undefined for lines that the order does not have, which none decides. */
export const judgeWith = async (
  session: Session,
  candidate: Candidate,
  document: PolicyDocument,
  question: Question,
): Promise<Ruling | undefined> => {
  const compiled = readied(document);
  const facts = factsWith(question, await customerFacts(session, document, compiled, question));
  return facts && { ...candidate, document, compiled, facts, evaluation: evaluate(compiled, facts) };
};

/** What one version of a policy says; undefined for lines that the order does not have. */
export const judgeBy = async (
  session: Session,
  candidate: Candidate,
  question: Question,
): Promise<Ruling | undefined> => {
  const document = await readDocument(session, candidate.policyId, candidate.version);
  if (document === undefined) throw new Error(`${candidate.policyId} has no version ${candidate.version}`);
  return judgeWith(session, candidate, document, question);
};

const selected = ({ facts }: Order) => {
  const { country = facts.destination?.country, channel, market, seller, placedAt, customer } = facts;
  return {
    ...selectedBy({ country, channel, market, seller, segment: customer?.segment }),
    ...(placedAt === undefined ? {} : { placedAt: new Date(placedAt).toISOString() }),
  };
};

/**
 * What the policy says that is for an order: the version in force when it was placed, or the present one where that is to
 * count for older orders too and is better for the customer; undefined where the shop has none for it.
 */
export const judge = async (
  session: Session,
  catalogue: Catalogue,
  question: Question,
  now: Instant,
): Promise<Ruling | undefined> => {
  const candidates = inForce(catalogue, selected(question.order), now);
  const [first, present] = await Promise.all(
    candidates.map(async (candidate) => judgeBy(session, candidate, question)),
  );
  if (first === undefined || present === undefined) return first;
  return isBetter(present.evaluation, first.evaluation, first.facts) ? present : first;
};
