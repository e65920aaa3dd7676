import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import type { ReasonDefinition, Reasons } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import type { CreateReturn } from './decide-request.ts';

/** The resolution of a line without one. */
export const defaultResolution = 'refund';

type RequestedLine = CreateReturn['lines'][number];
type LineWithReason = { readonly line: RequestedLine; readonly reason: ReasonDefinition; readonly path: string };

/** Returns the path of a line in the command. */
export type PathOf = (index: number) => string;

export const pathInLines: PathOf = (index) => `/lines/${index}`;

/** A message of the contract has at most 1,000 characters. */
const maxListed = 900;

/** Lists the active reason codes. Only the first error of an input carries the list: an input has up to 200 lines. */
const listReasonCodes = (reasons: Reasons): string => {
  const codes = [...reasons.values()].filter(({ active }) => active).map(({ code }) => code);
  const list = codes.join(', ');
  return list.length <= maxListed ? list : `the ${codes.length} codes of listReasons`;
};

/** Finds the reason of each line. */
const findReasons = (
  lines: readonly RequestedLine[],
  reasons: Reasons,
  isObserved: boolean,
  pathOf: PathOf,
): Result<readonly LineWithReason[]> => {
  const found: LineWithReason[] = [];
  const errors: FieldError[] = [];
  lines.forEach((line, index) => {
    const reason = reasons.get(line.reason.code);
    if (reason !== undefined && (reason.active || isObserved)) found.push({ line, reason, path: pathOf(index) });
    else {
      const message =
        errors.length === 0
          ? `must be one of ${listReasonCodes(reasons)}`
          : 'must be one of the codes in the first error';
      errors.push({ path: `${pathOf(index)}/reason/code`, code: 'unknown', message });
    }
  });
  return errors.length === 0
    ? ok(found)
    : fail({ code: 'reason_unknown', detail: 'The reason is unknown or not active.', errors });
};

/** Reports a missing note as a missing required field. */
const noteErrors = (lines: readonly LineWithReason[]): readonly FieldError[] =>
  lines
    .filter(({ line, reason }) => reason.noteRequired && line.reason.note === undefined)
    .map(({ reason, path }) => ({
      path: `${path}/reason/note`,
      code: 'required',
      message: `is required with ${reason.code}`,
    }));

const resolutionErrors = (lines: readonly LineWithReason[]): readonly FieldError[] =>
  lines
    .filter(({ line, reason }) => !reason.resolutions.includes(line.resolution ?? defaultResolution))
    .map(({ reason, path }) => ({
      path: `${path}/resolution`,
      code: 'enum',
      message: `must be one of ${reason.resolutions.join(', ')} with ${reason.code}`,
    }));

/**
 * Checks that the shop has the reasons of the lines, and that the lines meet their requirements.
 *
 * @param isObserved true for a platform fact, which follows the platform's rules. It may use inactive reasons without a
 * note or resolution.
 */
export const checkReasons = (
  lines: readonly RequestedLine[],
  reasons: Reasons,
  isObserved: boolean,
  pathOf = pathInLines,
): Result<null> => {
  const known = findReasons(lines, reasons, isObserved, pathOf);
  if (!known.ok) return known;
  if (isObserved) return ok(null);
  const unnoted = noteErrors(known.value);
  if (unnoted.length > 0)
    return fail({ code: 'invalid_request', detail: 'The reason requires a note.', errors: unnoted });
  const errors = resolutionErrors(known.value);
  return errors.length === 0
    ? ok(null)
    : fail({ code: 'resolution_not_allowed', detail: 'The reason does not allow this resolution.', errors });
};
