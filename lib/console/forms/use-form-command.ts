import { useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { getReturn } from '../../contract/operations.ts';
import { type Answer, call, type Named } from '../api/call.ts';
import type { Change } from '../api/changes.ts';
import { isStale, type Problem } from '../api/problem.ts';
import { useSend } from '../api/use-command.ts';
import { commandChanges } from './command-changes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the dialog knows of the resource that the command changes. */
type Known = { readonly before?: unknown; readonly version?: number | undefined };

export type CommandState<Name extends OperationName> = {
  /** What the command would do, for the entries as they are. */
  readonly preview?: { readonly output: Output<Name>; readonly changes: readonly Change[] };
  readonly problem?: Problem;
  /** What others changed after the dialog was opened. */
  readonly since?: readonly Change[];
  readonly working?: 'preview' | 'send';
};

type Options<Name extends OperationName> = {
  readonly operation: Named<Name>;
  readonly input: Fields;
  readonly known: Known;
  /** Reads the resource again after another person changed it. */
  readonly read?: (() => Promise<Answer<unknown>>) | undefined;
  readonly onDone: (output: Output<Name>, version?: number) => void;
};

/** Reads the return of a command again, with all its texts. */
const readReturn = async (input: Fields): Promise<Answer<unknown> | undefined> => {
  const { returnId } = input;
  return typeof returnId === 'string' ? call(getReturn, { returnId }) : undefined;
};

/** Sends a command in two steps: a dry run that shows its changes, then the command itself. */
export const useFormCommand = <Name extends OperationName>(options: Options<Name>) => {
  const { operation, input, read, onDone } = options;
  const [known, setKnown] = useState(options.known);
  const [state, setState] = useState<CommandState<Name>>({});
  const sendOnce = useSend(operation);

  const readAgain = async (problem: Problem): Promise<void> => {
    const answer = await (read === undefined ? readReturn(input) : read());
    if (answer?.ok !== true) {
      setState({ problem: answer?.problem ?? problem });
      return;
    }
    const { value, version } = answer;
    const since = known.before === undefined ? [] : commandChanges(known.before, value);
    setKnown({ before: value, version });
    setState({ since, problem });
  };

  const run = async (body: Fields, working: 'preview' | 'send'): Promise<void> => {
    setState((earlier) => ({ ...earlier, working }));
    const dryRun = working === 'preview';
    const answer = await sendOnce({ ...body, ...input } as Input<Name>, { dryRun, version: known.version });
    if (answer === undefined) return;
    if (!answer.ok) {
      if (isStale(answer.problem)) await readAgain(answer.problem);
      else setState({ problem: answer.problem });
      return;
    }
    if (dryRun)
      setState({ preview: { output: answer.value, changes: commandChanges(known.before ?? {}, answer.value) } });
    else onDone(answer.value, answer.version);
  };

  return {
    state,
    known,
    preview: async (body: Fields) => run(body, 'preview'),
    send: async (body: Fields) => run(body, 'send'),
    /** Forgets the preview, because the person has changed the entries. */
    invalidate: () => setState(({ since }) => (since === undefined ? {} : { since })),
  };
};
