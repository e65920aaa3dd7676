import { useRef, useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { type Answer, call, type Named } from './call.ts';
import { isFinal, type Problem } from './problem.ts';
import { usePreview } from './use-preview.ts';

type Send<Name extends OperationName> = (
  input: Input<Name>,
  options: { readonly version?: number | undefined },
) => Promise<Answer<Output<Name>> | undefined>;

/**
 * Sends a command. The idempotency key stays until the service has given a final answer: a repeat after
 * a lost response has no second effect. While a request is on its way, another one is not sent: its answer is undefined.
 */
export const useSend = <Name extends OperationName>(operation: Named<Name>): Send<Name> => {
  const key = useRef(crypto.randomUUID());
  const isRunning = useRef(false);
  return async (input, { version }) => {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    try {
      const answer = await call(operation, input, {
        idempotencyKey: key.current,
        ...(version !== undefined && { version }),
      });
      if (answer.ok || isFinal(answer.problem)) key.current = crypto.randomUUID();
      return answer;
    } finally {
      isRunning.current = false;
    }
  };
};

/** A command that a person prepares: what it would do, and why it failed. */
type Command<Name extends OperationName> = {
  /** The result of the dry run for this input and version. */
  readonly previewed?: Output<Name>;
  readonly problem?: Problem;
  /** Whether the dry run or the command is on its way. */
  readonly isPreviewing: boolean;
  readonly isSending: boolean;
  readonly send: () => Promise<Answer<Output<Name>> | undefined>;
};

type State<Value> = { readonly key: string; readonly value?: Value; readonly problem?: Problem };

/**
 * Prepares a command and sends it. The dry run runs by itself while the person fills in the form.
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
  const [isSending, setSending] = useState(false);
  const sendOnce = useSend(operation);
  const isPreviewing = usePreview(operation, input, version, (answer) => {
    setState((earlier) => ({
      key,
      // A problem of the command itself stays until its input changes.
      ...(answer.ok
        ? { value: answer.value, ...(earlier.key === key && earlier.problem && { problem: earlier.problem }) }
        : { problem: answer.problem }),
    }));
  });

  const send = async (): Promise<Answer<Output<Name>> | undefined> => {
    if (input === undefined || isSending) return undefined;
    setSending(true);
    const answer = await sendOnce(input, { version });
    setSending(false);
    if (answer !== undefined) setState({ key, ...(!answer.ok && { problem: answer.problem }) });
    return answer;
  };

  const isCurrent = state.key === key;
  return {
    ...(isCurrent && state.value !== undefined && { previewed: state.value }),
    ...(isCurrent && state.problem !== undefined && { problem: state.problem }),
    isPreviewing,
    isSending,
    send,
  };
};
