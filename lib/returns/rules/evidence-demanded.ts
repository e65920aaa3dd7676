import type { Objection } from './fact.ts';
import { isProtected } from './floor.ts';
import type { Line, Return } from '../model/return.ts';
import type { Fault } from '../model/reason.ts';
import type { Terms } from '../model/terms.ts';

type Demanding = Pick<Line, 'id' | 'evidenceRequired'>;

/** No law lets evidence be asked of who gives back what is not liked any more, whatever is wrong with it besides. */
export const mayDemandEvidence = (
  fault: Fault | undefined,
  orderLineId: string,
  { terms: { floor }, basis }: { readonly terms: Pick<Terms, 'floor'>; readonly basis: Return['basis'] },
): boolean =>
  floor === null ||
  !isProtected(floor, orderLineId) ||
  (basis !== 'withdrawal' && (fault === 'merchant' || fault === 'carrier'));

/** Whether a line still lacks the evidence that its reason demands: an attachment of its own, or of the whole return. */
const lacksEvidence = ({ id, evidenceRequired }: Demanding, evidence: Return['evidence']): boolean =>
  evidenceRequired === true && !evidence.some(({ lineId = id }) => lineId === id);

/** The objections to approving lines without the evidence that their reasons demand; `pathOf` says where each is named. */
export const evidenceObjections = (
  approved: readonly Demanding[],
  evidence: Return['evidence'],
  pathOf: (lineId: string) => string,
): readonly Objection[] => {
  const errors = approved
    .filter((line) => lacksEvidence(line, evidence))
    .map(({ id }) => ({
      path: pathOf(id),
      code: 'evidence',
      message: `needs an attachment of line ${id} or of the whole return, or an override`,
    }));
  return errors.length === 0
    ? []
    : [{ code: 'evidence_required', detail: 'The reason of a line demands evidence, and there is none.', errors }];
};
