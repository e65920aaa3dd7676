import { useRef, useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { type Answer, call, type Named } from './call.ts';
import { isFinal, type Problem } from './problem.ts';

type Send<Name extends OperationName> = (
  input: Input<Name>,
  options: { readonly dryRun: boolean; readonly version?: number | undefined },
) => Promise<Answer<Output<Name>> | undefined>;

/**
 * Sends a command or its dry run. The idempotency key stays until the service has given a final answer: a repeat after
 * a lost response has no second effect. While a request is on its way, another one is not sent: its answer is undefined.
 */
export const useSend = <Name extends OperationName>(operation: Named<Name>): Send<Name> => {
  const key = useRef(crypto.randomUUID());
  const isRunning = useRef(false);
  return async (input, { dryRun, version }) => {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    try {
      const answer = await call(operation, input, {
        dryRun,
        idempotencyKey: key.current,
        ...(version !== undefined && { version }),
      });
      if (!dryRun && (answer.ok || isFinal(answer.problem))) key.current = crypto.randomUUID();
      return answer;
    } finally {
      isRunning.current = false;
    }
  };
};

/** A command that a person prepares: what it would do, and why it failed. */
type Command<Name extends OperationName> = {
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
export const useCommand = <Name extends OperationName>(
  operation: Named<Name>,
  input: Input<Name> | undefined,
  version: number | undefined,
): Command<Name> => {
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
