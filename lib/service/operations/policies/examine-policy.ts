import type { Output } from '../../../contract/contract.ts';
import type { FieldError } from '../../../contract/errors.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { policyFieldErrors } from '../../../domain/policies/check/policy-field-errors.ts';
import { compilePolicy } from '../../../domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../domain/policies/evaluate/evaluate.ts';
import { type CaseResult, type PolicyDocument, runGoldenCases } from '../../../domain/policies/lifecycle/golden.ts';
import { lint } from '../../../domain/policies/lint/lint.ts';
import type { LintFinding } from '../../../domain/policies/lint/linted-rule.ts';
import { mergeReasons } from '../../../domain/returns/rules/reasons.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readReasons } from '../../../store/policies/decisions.ts';
import { invalidRequest, policyInvalid } from './known-policy.ts';

/** Requires exactly one of two fields that name the document. */
export const requireOneOf = <Name extends string>(
  input: Readonly<Partial<Record<Name, unknown>>>,
  first: Name,
  second: Name,
): Result<null> => {
  const present = [first, second].filter((name) => input[name] !== undefined);
  if (present.length === 1) return ok(null);
  return present.length === 0
    ? fail(invalidRequest({ path: `/${first}`, code: 'required', message: `is required, or ${second} instead` }))
    : fail(
        invalidRequest({ path: `/${second}`, code: 'unexpected', message: `must be absent when ${first} is present` }),
      );
};

const underDocument = ({ path, code, message }: FieldError): FieldError => ({
  path: `/document${path}`,
  code,
  message,
});

/** Returns the document when it is a valid policy. */
export const validateDocument = (document: unknown): Result<PolicyDocument> => {
  const errors = policyFieldErrors(document);
  return errors.length === 0
    ? ok(document as PolicyDocument)
    : fail(policyInvalid('The document is not a valid policy.', errors.map(underDocument)));
};

const noGoldenCases: LintFinding = {
  code: 'no_golden_cases',
  severity: 'warning',
  path: '/goldenCases',
  message: 'has no golden cases: nothing checks what the policy decides. Add at least one',
};

/** Lints a policy with the reasons of the shop, and warns when it has no golden cases. */
export const lintFindings = async (session: Session, document: PolicyDocument): Promise<readonly LintFinding[]> => {
  const { changed } = await readReasons(session);
  const found = lint(document, { reasons: new Set(mergeReasons(changed).keys()) });
  return (document.goldenCases ?? []).length === 0 ? [...found, noGoldenCases] : found;
};

/** Makes the wire form of findings. */
export const findingViews = (findings: readonly LintFinding[]): Output<'lintDraft'>['findings'] =>
  findings.map(({ rules, ...finding }) => ({ ...finding, ...(rules === undefined ? {} : { rules: [...rules] }) }));

/** Runs the golden cases of a policy. */
export const runDocumentCases = (document: PolicyDocument): readonly CaseResult[] => {
  const compiled = compilePolicy(document);
  return runGoldenCases(document.goldenCases ?? [], (facts) => evaluate(compiled, facts));
};

const shortJson = (value: unknown): string => JSON.stringify(value).slice(0, 300);

/**
 * Checks that a policy may be published: it has no lint error, and every golden case passes.
 *
 * @returns the warnings, which do not prevent publication
 */
export const checkPublishable = async (
  session: Session,
  document: PolicyDocument,
): Promise<Result<readonly LintFinding[]>> => {
  const findings = await lintFindings(session, document);
  const lintErrors = findings.filter(({ severity }) => severity === 'error');
  if (lintErrors.length > 0) return fail(policyInvalid('The draft has lint errors.', lintErrors.map(underDocument)));
  const errors = runDocumentCases(document).flatMap(({ differences }, index) =>
    differences.map(({ path, expected, found }) => ({
      path: `/document/goldenCases/${index}/expect${path}`,
      code: 'different',
      message: `must be ${shortJson(expected)}, but is ${shortJson(found)}`,
    })),
  );
  return errors.length === 0
    ? ok(findings)
    : fail({ code: 'golden_case_failed', detail: 'The draft fails golden cases.', errors });
};
