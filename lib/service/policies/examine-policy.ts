import type { Output } from '../../contract/contract.ts';
import type { FieldError } from '../../contract/errors.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { policyFaults } from '../../policies/check/policy-faults.ts';
import { compile } from '../../policies/evaluate/compile.ts';
import { evaluate } from '../../policies/evaluate/evaluate.ts';
import { type CaseResult, type PolicyDocument, runGoldenCases } from '../../policies/life/golden.ts';
import { lint } from '../../policies/lint/lint.ts';
import type { Finding } from '../../policies/lint/placed-rule.ts';
import { reasonsOf } from '../../returns/rules/reasons.ts';
import type { Session } from '../../store/engine/session.ts';
import { readReasons } from '../../store/policies/decisions.ts';
import { invalidRequest, policyInvalid } from './known-policy.ts';

/** Of two ways to say what a policy is to say a request takes one. */
export const oneOfBoth = <Name extends string>(
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

const inDocument = ({ path, code, message }: FieldError): FieldError => ({ path: `/document${path}`, code, message });

/** A document, once it is a policy. */
export const checkedDocument = (document: unknown): Result<PolicyDocument> => {
  const faults = policyFaults(document);
  return faults.length === 0
    ? ok(document as PolicyDocument)
    : fail(policyInvalid('The document is no policy.', faults.map(inDocument)));
};

const noGoldenCases: Finding = {
  code: 'no_golden_cases',
  severity: 'warning',
  path: '/goldenCases',
  message: 'has no golden cases: nothing checks what the policy decides. Add at least one',
};

/** What lint finds in a policy, with the reasons that the shop has, and whether the policy has no golden cases. */
export const findingsOf = async (session: Session, document: PolicyDocument): Promise<readonly Finding[]> => {
  const { changed } = await readReasons(session);
  const found = lint(document, { reasons: new Set(reasonsOf(changed).keys()) });
  return (document.goldenCases ?? []).length === 0 ? [...found, noGoldenCases] : found;
};

/** Findings as the contract has them. */
export const findingViews = (findings: readonly Finding[]): Output<'lintDraft'>['findings'] =>
  findings.map(({ rules, ...finding }) => ({ ...finding, ...(rules === undefined ? {} : { rules: [...rules] }) }));

/** What comes out of a policy's golden cases. */
export const casesOf = (document: PolicyDocument): readonly CaseResult[] => {
  const compiled = compile(document);
  return runGoldenCases(document.goldenCases ?? [], (facts) => evaluate(compiled, facts));
};

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 300);

/**
 * Whether a policy may be published as it is: no error of lint, no case that comes out otherwise.
 *
 * @returns the warnings that do not keep it from being published
 */
export const publishable = async (session: Session, document: PolicyDocument): Promise<Result<readonly Finding[]>> => {
  const findings = await findingsOf(session, document);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return fail(policyInvalid('Lint finds errors in the draft.', errors.map(inDocument)));
  const faults = casesOf(document).flatMap(({ differences }, index) =>
    differences.map(({ path, expected, found }) => ({
      path: `/document/goldenCases/${index}/expect${path}`,
      code: 'different',
      message: `must come out as ${shown(expected)}, and comes out as ${shown(found)}`,
    })),
  );
  return faults.length === 0
    ? ok(findings)
    : fail({ code: 'golden_case_failed', detail: 'Golden cases of the draft come out otherwise.', errors: faults });
};
