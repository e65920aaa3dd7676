import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { type Answer, call, type Named } from './call.ts';
import type { Problem } from './problem.ts';

/** What a screen knows of a resource. The last value stays while it is read again. */
export type Loaded<Value> = {
  readonly value?: Value;
  readonly version?: number;
  readonly problem?: Problem;
  readonly isLoading: boolean;
  /** Reads it again. */
  readonly reload: () => void;
  /** Replaces the value by the response of a command. */
  readonly replace: (value: Value, version?: number) => void;
};

type State<Value> = { readonly value?: Value; readonly version?: number; readonly problem?: Problem };

/**
 * Reads what a key stands for, and reads it again when the key changes.
 *
 * @param key undefined reads nothing
 */
export const useAnswer = <Value>(
  key: string | undefined,
  read: (signal: AbortSignal) => Promise<Answer<Value>>,
): Loaded<Value> => {
  const [state, setState] = useState<State<Value>>({});
  const [isLoading, setLoading] = useState(key !== undefined);
  const [round, setRound] = useState(0);
  const shownKey = useRef(key);
  useEffect(() => {
    if (key === undefined) return undefined;
    const abort = new AbortController();
    // The value of another resource would mislead.
    if (shownKey.current !== key) setState({});
    shownKey.current = key;
    setLoading(true);
    const load = async () => {
      try {
        const answer = await read(abort.signal);
        if (abort.signal.aborted) return;
        setState((before) =>
          answer.ok
            ? { value: answer.value, ...(answer.version !== undefined && { version: answer.version }) }
            : { ...before, problem: answer.problem },
        );
        setLoading(false);
      } catch (error) {
        if (!abort.signal.aborted) throw error;
      }
    };
    void load();
    return () => abort.abort();
    // The key has all that is read.
  }, [key, round]);
  return {
    ...(shownKey.current === key || state.value === undefined ? state : {}),
    isLoading,
    reload: () => setRound((before) => before + 1),
    replace: (value, version) => setState({ value, ...(version !== undefined && { version }) }),
  };
};

/**
 * Reads a resource, and reads it again when the input changes.
 *
 * @param input undefined reads nothing
 */
export const useCall = <Name extends OperationName>(
  operation: Named<Name>,
  input: Input<Name> | undefined,
): Loaded<Output<Name>> =>
  useAnswer(input === undefined ? undefined : `${operation.name} ${JSON.stringify(input)}`, async (signal) =>
    call(operation, input as Input<Name>, { signal }),
  );
