/*
 * The texts of a new operation. Each place that a person must fill in calls `fillIn`, which exists nowhere: so the
 * compiler, the tests and `npm run generate` fail until all are filled in.
 */

/** What a kind of operation is built with in its entry. */
type Kind = { readonly builder: string; readonly input: 'query' | 'body' | undefined; readonly scope: boolean };

/** The kinds of operations, by the name on the command line: the builders of lib/contract/entry.ts. */
export const kinds = {
  read: { builder: 'reading', input: 'query', scope: true },
  compute: { builder: 'computing', input: 'body', scope: true },
  create: { builder: 'creating', input: 'body', scope: true },
  replace: { builder: 'replacing', input: 'body', scope: true },
  patch: { builder: 'patching', input: 'body', scope: true },
  delete: { builder: 'deleting', input: undefined, scope: true },
  command: { builder: 'command', input: 'body', scope: false },
  'admin-command': { builder: 'adminCommand', input: 'body', scope: false },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

/** Converts `waiveFee` to `waive-fee`. */
export const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the entry of an operation. A command on a return has its path, its response and its usual errors. */
export const entryOf = (name: string, kind: KindName, isOnReturn: boolean): string => {
  const { builder, input, scope }: Kind = kinds[kind];
  const path = isOnReturn ? '/returns/{returnId}/waive' : '/reasons/{code}';
  return `
export const ${name} = ${builder}({
  path: fillIn("the path below /v1, such as '${path}'"),
  summary: fillIn("verb and object, such as 'Waive a fee'"),
  description: fillIn('preconditions, effect, errors and idempotency, in this order'),
${scope ? `  scope: fillIn("'returns:read', 'returns:write' or 'returns:admin'"),\n` : ''}\
  params: ${isOnReturn ? 'ReturnPath' : "fillIn('the schema of the path; without path parameters, delete this line')"},
${input === undefined ? '' : `  ${input}: fillIn('the schema of the ${input}; without a ${input}, delete this line'),\n`}\
  answers: ${isOnReturn ? 'Return' : "fillIn('the schema of the response')"},
  errors: ${isOnReturn ? '[...commandErrorCodes]' : "fillIn('the error codes of lib/contract/errors.ts, or []')"},
  example: fillIn('a response, and the body of its request, from lib/contract/example-story.ts'),
});
`;
};

/** Returns the file that decides on a command on a return. */
export const decisionOf = (name: string): string => `import type { Result } from '../failure.ts';
import type { Situation } from '../situation.ts';
import { checkTransition } from './check-transition.ts';
import type { Outcome } from './outcome.ts';

/** fillIn('one sentence: on what the command decides') */
export const ${name} = (situation: Situation): Result<Outcome> => {
  const admission = checkTransition(situation, '${name}');
  if (!admission.ok) return admission;
  return fillIn('the events, such as toOutcome(situation, [{ type, data }]); see waiveFee for one with input and errors');
};
`;

/** Returns the file that serves a command on a return. It needs no change without an input. */
export const commandOf = (name: string): string => `import { commandOnReturn } from '../../execution/command.ts';
import { ${name} as decide } from '../../../domain/returns/commands/${kebabCase(name)}.ts';

export const ${name} = /* @__PURE__ */ commandOnReturn('${name}', () => ({ decide }));
`;

/**
 * Returns the file that serves another operation.
 *
 * @param up the way from its folder to lib
 */
export const serviceOf = (
  name: string,
  up: string,
): string => `import type { Input, Output } from '${up}/contract/contract.ts';
import type { Call, Reply } from '${up}/contract/port.ts';
import type { Result } from '${up}/contract/result.ts';

/** fillIn('one sentence: what the operation does') */
export const ${name} = async (input: Input<'${name}'>, call: Call): Promise<Result<Reply<Output<'${name}'>>>> =>
  fillIn('the reply, such as ok({ status: 200, body }); see the other files of the resource', input, call);
`;

/** Returns the first test of an operation, over HTTP. */
export const testOf = (name: string, isOnReturn: boolean): string => `import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
${isOnReturn ? "import { createReturn } from '../support/scenario.ts';\n" : ''}
describe.each(contractModes(import.meta.filename))('%s ${name}', (mode) => {
  const service = contractApi(mode);

  it(fillIn('what it does, such as: returns 200 with the waived fee'), async () => {
${
  isOnReturn
    ? `    const { id } = await createReturn(service);
    const answer = await service.post(\`/returns/\${id}/\${fillIn('the end of the path')}\`, fillIn('the body, or {}'));
`
    : `    const answer = await service.get(fillIn('the path; or call post, put, patch or delete'));
`
}\
    expect(answer).toMatchObject({ status: 200, body: fillIn('the fields that prove the effect') });
  });
});
`;
