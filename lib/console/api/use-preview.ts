import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { type Answer, call, type Named } from './call.ts';

/** The entries stand still for this time before the service is asked about them. */
const pauseMs = 300;

/**
 * Asks by a dry run what a command would do, once its input stands still. The answer to an earlier input does not count.
 *
 * @param input undefined while the form is incomplete: nothing is asked
 * @returns whether an answer is awaited
 */
export const usePreview = <Name extends OperationName>(
  operation: Named<Name>,
  input: Input<Name> | undefined,
  version: number | undefined,
  onAnswer: (answer: Answer<Output<Name>>) => void,
): boolean => {
  const key = input === undefined || !operation.dryRun ? undefined : JSON.stringify([input, version]);
  const [answered, setAnswered] = useState<string | undefined>();
  const latest = useRef(onAnswer);
  latest.current = onAnswer;

  useEffect(() => {
    if (key === undefined || input === undefined) return undefined;
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      const options = { dryRun: true, signal: abort.signal, ...(version !== undefined && { version }) };
      const answer = await call(operation, input, options);
      if (abort.signal.aborted) return;
      setAnswered(key);
      latest.current(answer);
    };
    const timer = setTimeout(() => {
      ask().catch((error: unknown) => {
        if (!abort.signal.aborted) throw error;
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return key !== undefined && key !== answered;
};
