import type { ComponentChildren } from 'preact';
import type { OperationName, Output } from '../../contract/contract.ts';
import type { Answer, Named } from '../api/call.ts';
import type { Choice, LineChoice } from './form-context.ts';
import type { Titles } from './return-form.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a screen tells the dialog of a command. */
export type CommandDialogProps<Name extends OperationName> = {
  readonly operation: Named<Name>;
  readonly title: string;
  /** The fields of the path. */
  readonly input: Fields;
  /** The version that the person has seen. */
  readonly version?: number | undefined;
  /** The entries that the form begins with. */
  readonly initial?: Fields | undefined;
  /** The resource before the command. The preview shows what differs from it. */
  readonly before?: unknown;
  /** The titles of lines by their ids. */
  readonly titles?: Titles | undefined;
  /** The currency of amounts, if `before` is no return. */
  readonly currency?: string | undefined;
  /** The lines of lists of units, if `before` is no return. */
  readonly lines?: readonly LineChoice[] | undefined;
  /** The values that fields with ids may have. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>> | undefined;
  /** Fields that the form does not show. */
  readonly hidden?: readonly string[] | undefined;
  /** Fields that make no sense with the present entries. The form neither shows nor sends them. */
  readonly excluded?: ((entries: Fields) => readonly string[]) | undefined;
  /** What the person has seen in the preview: the command states it, and fails if it has changed since. */
  readonly seen?: ((output: Output<Name>) => Fields) | undefined;
  /** Reads the resource again after a 412. By default it reads the return of `input`. */
  readonly read?: (() => Promise<Answer<unknown>>) | undefined;
  /** Whether the command takes something away. Its button then looks different. */
  readonly isDangerous?: boolean | undefined;
  /** A text above the form. */
  readonly children?: ComponentChildren;
  readonly onClose: () => void;
  /** Runs after the command, when the dialog has called `onClose`. */
  readonly onDone: (output: Output<Name>, version?: number) => void;
};
