import { useRef } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { type Answer, call, type Named } from './call.ts';
import { isFinal } from './problem.ts';

export type Send<Name extends OperationName> = (
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
