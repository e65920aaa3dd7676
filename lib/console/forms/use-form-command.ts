import { useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { getReturn } from '../../contract/operations.ts';
import { type Answer, call, type Named } from '../api/call.ts';
import type { Change } from '../api/changes.ts';
import { isStale, isTemporary, type Problem } from '../api/problem.ts';
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
  readonly isSending?: boolean;
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

/** Reads the resource of a command again after a 412, and sends the command. The form shows its dry run meanwhile. */
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

  const inputOf = (body: Fields) => ({ ...body, ...input }) as Input<Name>;
  const fail = async (problem: Problem): Promise<void> => {
    if (isStale(problem)) await readAgain(problem);
    else setState({ problem });
  };

  return {
    state,
    known,
    inputOf,
    /** Shows the answer to a dry run. What others changed stays in view. */
    show: async (answer: Answer<Output<Name>>): Promise<void> => {
      if (!answer.ok) return fail(answer.problem);
      const preview = { output: answer.value, changes: commandChanges(known.before ?? {}, answer.value) };
      // The dry run says nothing about why the command itself failed.
      return setState((earlier) => ({ ...earlier, preview }));
    },
    send: async (body: Fields): Promise<void> => {
      setState((earlier) => ({ ...earlier, isSending: true }));
      const answer = await sendOnce(inputOf(body), { version: known.version });
      if (answer === undefined) return;
      if (answer.ok) onDone(answer.value, answer.version);
      // A repeat sends what the person has seen: with the same key, the service takes no other body.
      else if (isTemporary(answer.problem))
        setState(({ preview }) => ({ ...(preview && { preview }), problem: answer.problem }));
      else await fail(answer.problem);
    },
    /** Forgets the preview, because the person has changed the entries. */
    invalidate: () => setState(({ since }) => (since === undefined ? {} : { since })),
  };
};
