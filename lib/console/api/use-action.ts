import { useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import type { Answer, Named } from './call.ts';
import type { Problem } from './problem.ts';
import { useSend } from './use-send.ts';

/** A command that a person prepares: what it would do, and why it failed. */
export type Action<Name extends OperationName> = {
  /** The result of the last dry run. Absent when the input or the version has changed since. */
  readonly previewed?: Output<Name>;
  readonly problem?: Problem;
  readonly isBusy: boolean;
  readonly preview: () => Promise<Answer<Output<Name>> | undefined>;
  readonly send: () => Promise<Answer<Output<Name>> | undefined>;
};

type State<Value> = { readonly key: string; readonly value?: Value; readonly problem?: Problem };

/**
 * Prepares a command and sends it.
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
  const sendOnce = useSend(operation);

  const run = async (dryRun: boolean): Promise<Answer<Output<Name>> | undefined> => {
    if (input === undefined || isBusy) return undefined;
    setBusy(true);
    const answer = await sendOnce(input, { dryRun, version });
    if (answer === undefined) return undefined;
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
