import { useState } from 'preact/hooks';
import type { Input, Output } from '../../../contract/contract.ts';
import type { Named } from '../../api/call.ts';
import { isStale, type Problem } from '../../api/problem.ts';
import { useSend } from '../../api/use-command.ts';
import { type Opened, reload } from './opened.ts';

type Name = 'receive' | 'inspect';

type State<Command extends Name> = {
  readonly preview?: Output<Command> | undefined;
  readonly problem?: Problem;
  readonly isBusy: boolean;
  /** Whether another person changed the return after it was read. It is read again then. */
  readonly isChanged: boolean;
};

const idle = { isBusy: false, isChanged: false };

/** Runs a command in two steps: a dry run, whose result a person sees, then the command. */
export const useStationCommand = <Command extends Name>(operation: Named<Command>, { value, version }: Opened) => {
  const [state, setState] = useState<State<Command>>(idle);
  const sendOnce = useSend(operation);
  const run = async (input: Input<Command>, dryRun: boolean): Promise<Output<Command> | undefined> => {
    setState((before) => ({ ...before, isBusy: true }));
    const answer = await sendOnce(input, { dryRun, version });
    // A second press while one is on its way sends nothing.
    if (answer === undefined) return undefined;
    if (answer.ok) {
      setState({ ...idle, ...(dryRun && { preview: answer.value }) });
      return answer.value;
    }
    const isChanged = isStale(answer.problem);
    if (isChanged) await reload(value.returnId);
    setState({ ...idle, ...(isChanged ? { isChanged } : { problem: answer.problem }) });
    return undefined;
  };
  return {
    ...state,
    check: async (input: Input<Command>) => void (await run(input, true)),
    send: async (input: Input<Command>) => run(input, false),
    /** Goes back to the entries. */
    edit: () => setState((before) => ({ ...before, preview: undefined })),
  };
};
