import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import type { Named } from '../api/call.ts';
import { useCommand } from '../api/use-command.ts';
import { changeLines } from '../texts/change-lines.ts';
import { common } from '../texts/common.ts';
import { ChangeList } from './change-lines.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { t } from './texts.ts';

/** The resource that a command changes, so that the dialog can read it again after a conflict. */
export type Target = { readonly value?: object; readonly version?: number; readonly reload: () => void };

/**
 * A dialog for a command. It shows what the command would do (a dry run) while the person fills it in. One button sends,
 * and Ctrl+Enter does too.
 */
export const ActionDialog = <Name extends OperationName>({
  title,
  operation,
  input,
  target,
  sendLabel,
  isDangerous = false,
  isWide = false,
  isFinished = false,
  children,
  effect,
  onDone,
  onClose,
}: {
  title: string;
  operation: Named<Name>;
  /** undefined while the form is incomplete. */
  input: Input<Name> | undefined;
  target?: Target;
  sendLabel: string;
  isDangerous?: boolean;
  isWide?: boolean;
  /** Whether nothing is left to send. */
  isFinished?: boolean;
  /** The text and the fields. */
  children: ComponentChildren;
  /** Shows what a dry run tells. */
  effect: (output: Output<Name>) => ComponentChildren;
  onDone: (output: Output<Name>, version: number | undefined) => void;
  onClose: () => void;
}) => {
  const command = useCommand(operation, input, target?.version);
  const [before, setBefore] = useState<object | undefined>();
  const [isIncomplete, setIncomplete] = useState(false);
  const result = useRef<HTMLDivElement>(null);
  const { previewed, problem } = command;
  // The person sees the effect, also on a small screen.
  useEffect(() => result.current?.scrollIntoView({ block: 'nearest' }), [previewed, problem]);
  useEffect(() => {
    if (problem?.status !== 412 && problem?.status !== 409) return;
    setBefore(target?.value);
    target?.reload();
  }, [problem]);

  const run = async () => {
    const answer = await command.send();
    if (answer?.ok !== true) return;
    setBefore(undefined);
    onDone(answer.value, answer.version);
  };
  const changes = before === undefined || target?.value === undefined ? [] : changeLines(before, target.value);

  return (
    <Dialog title={title} onClose={onClose} wide={isWide}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setIncomplete(input === undefined);
          void run();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
      >
        {children}
        <div ref={result} class="effect" aria-live="polite">
          {problem?.status === 412 || changes.length > 0 ? (
            <p class="notice notice-warning">{common().conflict}</p>
          ) : (
            problem !== undefined && <ProblemNotice problem={problem} />
          )}
          {command.isPreviewing && <p class="fine">{common().previewing}</p>}
          {isIncomplete && input === undefined && <p class="notice notice-warning">{t().actionDialog.incomplete}</p>}
          {changes.length > 0 && (
            <div class="notice">
              <strong>{t().actionDialog.changed}</strong>
              <ChangeList of={changes} />
            </div>
          )}
          {previewed !== undefined && (
            <div class="notice notice-good">
              <strong>{t().actionDialog.effect}</strong>
              {effect(previewed)}
            </div>
          )}
        </div>
        <div class="actions">
          {!isFinished && (
            <button type="submit" class={isDangerous ? 'danger' : 'primary'} aria-disabled={command.isSending}>
              {command.isSending ? common().sending : sendLabel}
            </button>
          )}
          <button type="button" onClick={onClose}>
            {isFinished ? common().close : common().cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
