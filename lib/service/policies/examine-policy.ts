import type { Output } from '../../contract/contract.ts';
import type { FieldError } from '../../contract/errors.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { policyFieldErrors } from '../../policies/check/policy-field-errors.ts';
import { compilePolicy } from '../../policies/evaluate/compile.ts';
import { evaluate } from '../../policies/evaluate/evaluate.ts';
import { type CaseResult, type PolicyDocument, runGoldenCases } from '../../policies/life/golden.ts';
import { lint } from '../../policies/lint/lint.ts';
import type { LintFinding } from '../../policies/lint/linted-rule.ts';
import { mergeReasons } from '../../returns/rules/reasons.ts';
import type { Session } from '../../store/engine/session.ts';
import { readReasons } from '../../store/policies/decisions.ts';
import { invalidRequest, policyInvalid } from './known-policy.ts';

/** Of two ways to say what a policy is to say a request takes one. */
export const requireOneOf = <Name extends string>(
  input: Readonly<Partial<Record<Name, unknown>>>,
  first: Name,
  second: Name,
): Result<null> => {
  const given = [first, second].filter((name) => input[name] !== undefined);
  if (given.length === 1) return ok(null);
  return given.length === 0
    ? fail(invalidRequest({ path: `/${first}`, code: 'required', message: `is required, or ${second} in its place` }))
    : fail(invalidRequest({ path: `/${second}`, code: 'unexpected', message: `must not stand beside ${first}` }));
};

const underDocument = ({ path, code, message }: FieldError): FieldError => ({
  path: `/document${path}`,
  code,
  message,
});

/** A document, once it is a policy. */
export const validateDocument = (document: unknown): Result<PolicyDocument> => {
  const faults = policyFieldErrors(document);
  return faults.length === 0
    ? ok(document as PolicyDocument)
    : fail(policyInvalid('The document is no policy.', faults.map(underDocument)));
};

const noGoldenCases: LintFinding = {
  code: 'no_golden_cases',
  severity: 'warning',
  path: '/goldenCases',
  message: 'has no golden cases: nothing checks what the policy decides. Add at least one',
};

/** What lint finds in a policy, with the reasons that the shop has, and whether the policy has no golden cases. */
export const lintFindings = async (session: Session, document: PolicyDocument): Promise<readonly LintFinding[]> => {
  const { changed } = await readReasons(session);
  const found = lint(document, { reasons: new Set(mergeReasons(changed).keys()) });
  return (document.goldenCases ?? []).length === 0 ? [...found, noGoldenCases] : found;
};

/** Findings as the contract has them. */
export const findingViews = (findings: readonly LintFinding[]): Output<'lintDraft'>['findings'] =>
  findings.map(({ rules, ...finding }) => ({ ...finding, ...(rules === undefined ? {} : { rules: [...rules] }) }));

/** What comes out of a policy's golden cases. */
export const runDocumentCases = (document: PolicyDocument): readonly CaseResult[] => {
  const compiled = compilePolicy(document);
  return runGoldenCases(document.goldenCases ?? [], (facts) => evaluate(compiled, facts));
};

const shortJson = (value: unknown): string => JSON.stringify(value).slice(0, 300);

/**
 * Whether a policy may be published as it is: no error of lint, no case that comes out otherwise.
 *
 * @returns the warnings that do not keep it from being published
 */
export const checkPublishable = async (
  session: Session,
  document: PolicyDocument,
): Promise<Result<readonly LintFinding[]>> => {
  const findings = await lintFindings(session, document);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return fail(policyInvalid('Lint finds errors in the draft.', errors.map(underDocument)));
  const faults = runDocumentCases(document).flatMap(({ differences }, index) =>
    differences.map(({ path, expected, found }) => ({
      path: `/document/goldenCases/${index}/expect${path}`,
      code: 'different',
      message: `must come out as ${shortJson(expected)}, and comes out as ${shortJson(found)}`,
    })),
  );
  return faults.length === 0
    ? ok(findings)
    : fail({ code: 'golden_case_failed', detail: 'Golden cases of the draft come out otherwise.', errors: faults });
};
