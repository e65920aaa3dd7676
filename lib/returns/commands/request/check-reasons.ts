import { ok, type Result, fail } from '../../failure.ts';
import type { ReasonDefinition, Reasons } from '../../model/reason.ts';
import type { FieldError } from '../../model/status.ts';
import type { CreateReturn } from './new-return.ts';

/** What a line asks for that does not say. */
export const defaultResolution = 'refund';

type RequestedLine = CreateReturn['lines'][number];
type LineWithReason = { readonly line: RequestedLine; readonly reason: ReasonDefinition; readonly index: number };

/** A message of the contract has at most 1,000 characters. */
const maxListed = 900;

/** What new returns may give, said once: an input has up to 200 lines. */
const listReasonCodes = (reasons: Reasons): string => {
  const codes = [...reasons.values()].filter(({ active }) => active).map(({ code }) => code);
  const list = codes.join(', ');
  return list.length <= maxListed ? list : `the ${codes.length} that listReasons names`;
};

/** The lines with their reasons. */
const findReasons = (
  lines: readonly RequestedLine[],
  reasons: Reasons,
  isFact: boolean,
): Result<readonly LineWithReason[]> => {
  const found: LineWithReason[] = [];
  const errors: FieldError[] = [];
  lines.forEach((line, index) => {
    const reason = reasons.get(line.reason.code);
    if (reason !== undefined && (reason.active || isFact)) found.push({ line, reason, index });
    else {
      const message = errors.length === 0 ? `must be one of ${listReasonCodes(reasons)}` : 'must be one of the same';
      errors.push({ path: `/lines/${index}/reason/code`, code: 'unknown', message });
    }
  });
  return errors.length === 0
    ? ok(found)
    : fail({ code: 'reason_unknown', detail: 'No such reason, or none that is given any more.', errors });
};

/** A field that a reason makes required is missing like one that a schema does. */
const noteErrors = (lines: readonly LineWithReason[]): readonly FieldError[] =>
  lines
    .filter(({ line, reason }) => reason.noteRequired && line.reason.note === undefined)
    .map(({ reason, index }) => ({
      path: `/lines/${index}/reason/note`,
      code: 'required',
      message: `is required with ${reason.code}`,
    }));

const resolutionErrors = (lines: readonly LineWithReason[]): readonly FieldError[] =>
  lines
    .filter(({ line, reason }) => !reason.resolutions.includes(line.resolution ?? defaultResolution))
    .map(({ reason, index }) => ({
      path: `/lines/${index}/resolution`,
      code: 'enum',
      message: `must be one of ${reason.resolutions.join(', ')} with ${reason.code}`,
    }));

/**
 * Whether the shop has the reasons of a request's lines, and the lines are what their reasons demand.
 *
 * @param isFact what a platform told keeps to the platform's own rules: it may give what is not given any more, and
 *   however it likes
 */
export const checkReasons = (lines: readonly RequestedLine[], reasons: Reasons, isFact: boolean): Result<null> => {
  const known = findReasons(lines, reasons, isFact);
  if (!known.ok) return known;
  if (isFact) return ok(null);
  const unnoted = noteErrors(known.value);
  if (unnoted.length > 0) return fail({ code: 'invalid_request', detail: 'The reason needs a note.', errors: unnoted });
  const errors = resolutionErrors(known.value);
  return errors.length === 0
    ? ok(null)
    : fail({ code: 'resolution_not_allowed', detail: 'The reason does not allow this resolution.', errors });
};
