import { useRef, useState } from 'preact/hooks';
import type { Input, Output } from '../../../contract/contract.ts';
import { call, type Named } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { type Opened, reload } from './opened.ts';

type Name = 'receive' | 'inspect';

/**
 * Runs a command in two steps: a dry run, whose result a person sees, then the command. A request that failed is sent
 * again with the same idempotency key as long as its body is the same.
 */
export const useCommand = <Command extends Name>(operation: Named<Command>, { value, version }: Opened) => {
  const [preview, setPreview] = useState<Output<Command> | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const isRunning = useRef(false);
  const attempt = useRef({ body: '', key: '' });
  const run = async (input: Input<Command>, dryRun: boolean): Promise<Output<Command> | undefined> => {
    // A second press while one is on its way sends nothing.
    if (isRunning.current) return undefined;
    isRunning.current = true;
    const body = JSON.stringify(input);
    if (attempt.current.body !== body) attempt.current = { body, key: crypto.randomUUID() };
    setBusy(true);
    const answer = await call(operation, input, {
      dryRun,
      idempotencyKey: attempt.current.key,
      ...(version !== undefined && { version }),
    });
    setChanged(!answer.ok && answer.problem.status === 412);
    setProblem(answer.ok || answer.problem.status === 412 ? undefined : answer.problem);
    setPreview(answer.ok && dryRun ? answer.value : undefined);
    if (!answer.ok && answer.problem.status === 412) await reload(value.returnId);
    setBusy(false);
    isRunning.current = false;
    return answer.ok ? answer.value : undefined;
  };
  return {
    preview,
    problem,
    isBusy,
    /** Whether another person changed the return after it was read. It is read again then. */
    isChanged,
    check: async (input: Input<Command>) => void (await run(input, true)),
    send: async (input: Input<Command>) => run(input, false),
    /** Goes back to the entries. */
    edit: () => setPreview(undefined),
  };
};
