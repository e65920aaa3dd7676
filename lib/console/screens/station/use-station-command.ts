import { useEffect, useState } from 'preact/hooks';
import type { Input } from '../../../contract/contract.ts';
import type { Named } from '../../api/call.ts';
import { isStale } from '../../api/problem.ts';
import { useCommand } from '../../api/use-command.ts';
import { type Opened, reload } from './opened.ts';

/**
 * Prepares a command of the station and sends it.
 *
 * @returns the command, and whether another person changed the return after it was read. It is read again then.
 */
export const useStationCommand = <Name extends 'receive' | 'inspect'>(
  operation: Named<Name>,
  { value, version }: Opened,
  input: Input<Name> | undefined,
) => {
  const command = useCommand(operation, input, version);
  const [isChanged, setChanged] = useState(false);
  const { problem } = command;
  const isConflict = problem !== undefined && isStale(problem);
  useEffect(() => {
    if (problem !== undefined) setChanged(isConflict);
    if (isConflict) void reload(value.returnId);
  }, [problem]);
  return { ...command, problem: isConflict ? undefined : problem, isChanged };
};
