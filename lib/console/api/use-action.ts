import { useRef, useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { call, type Answer, type Named } from './call.ts';
import { isTemporary, type Problem } from './problem.ts';

/** A command that a person prepares: what it would do, and why it failed. */
export type Action<Name extends OperationName> = {
  /** The result of the last dry run. Absent when the input or the version has changed since. */
  readonly previewed?: Output<Name>;
  readonly problem?: Problem;
  readonly isBusy: boolean;
  readonly preview: () => Promise<Answer<Output<Name>> | undefined>;
  readonly send: () => Promise<Answer<Output<Name>> | undefined>;
};

/** Whether the service has given a final answer. Else a repeat must have the same key. */
const isFinal = (problem: Problem): boolean =>
  !isTemporary(problem) && problem.status !== 401 && problem.code !== 'idempotency_key_in_progress';

type State<Value> = { readonly key: string; readonly value?: Value; readonly problem?: Problem };

/**
 * Prepares a command and sends it. The idempotency key stays until the service has given a final answer: a repeat
 * after a lost response has no second effect.
 *
 * @param input undefined while the form is incomplete: nothing is sent
 */
export const useAction = <Name extends OperationName>(
  operation: Named<Name>,
  input: Input<Name> | undefined,
  version: number | undefined,
): Action<Name> => {
  const key = JSON.stringify([input, version]);
  const [state, setState] = useState<State<Output<Name>>>({ key });
  const [isBusy, setBusy] = useState(false);
  const idempotencyKey = useRef(crypto.randomUUID());

  const run = async (dryRun: boolean): Promise<Answer<Output<Name>> | undefined> => {
    if (input === undefined || isBusy) return undefined;
    setBusy(true);
    const answer = await call(operation, input, {
      dryRun,
      idempotencyKey: idempotencyKey.current,
      ...(version !== undefined && { version }),
    });
    if (!dryRun && (answer.ok || isFinal(answer.problem))) idempotencyKey.current = crypto.randomUUID();
    setState({ key, ...(answer.ok ? dryRun && { value: answer.value } : { problem: answer.problem }) });
    setBusy(false);
    return answer;
  };

  const isCurrent = state.key === key;
  return {
    ...(isCurrent && state.value !== undefined && { previewed: state.value }),
    ...(state.problem !== undefined && { problem: state.problem }),
    isBusy,
    preview: async () => run(true),
    send: async () => run(false),
  };
};
