import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import type { Named } from '../api/call.ts';
import { fill } from '../texts/fill.ts';
import { ActionDialog } from './action-dialog.tsx';
import { t } from './texts.ts';

type Counts = { readonly count: number; readonly examined: number; readonly nextCursor: string | null };

/** The result so far. `of` is the input that the cursor belongs to. */
type Progress = { readonly of: string; readonly count: number; readonly examined: number; readonly cursor?: string };

/** A dialog for a command that works on a range in parts. Each part has its own preview. */
export const RangeDialog = <Name extends OperationName>({
  title,
  operation,
  input,
  sendLabel,
  countOf,
  children,
  onClose,
}: {
  title: string;
  operation: Named<Name>;
  input: Input<Name> | undefined;
  sendLabel: string;
  countOf: (output: Output<Name>) => Counts;
  children: ComponentChildren;
  onClose: () => void;
}) => {
  const [progress, setProgress] = useState<Progress | undefined>();
  const key = JSON.stringify(input);
  // Other filters begin another range.
  const current = progress?.of === key ? progress : undefined;
  const isFinished = current !== undefined && current.cursor === undefined;
  const next =
    input === undefined || isFinished
      ? undefined
      : ({ ...input, ...(current?.cursor !== undefined && { cursor: current.cursor }) } as Input<Name>);
  return (
    <ActionDialog
      title={title}
      operation={operation}
      input={next}
      sendLabel={sendLabel}
      isWide
      isFinished={isFinished}
      effect={(output) => {
        const { count, examined, nextCursor } = countOf(output);
        return (
          <p>
            {fill(t().rangeDialog.would, { count, examined })} {nextCursor !== null && t().rangeDialog.hasMore}
          </p>
        );
      }}
      onDone={(output) => {
        const { count, examined, nextCursor } = countOf(output);
        setProgress({
          of: key,
          count: (current?.count ?? 0) + count,
          examined: (current?.examined ?? 0) + examined,
          ...(nextCursor !== null && { cursor: nextCursor }),
        });
      }}
      onClose={onClose}
    >
      {children}
      {current !== undefined && (
        <p class="notice notice-good" role="status">
          {fill(t().rangeDialog.done, { count: current.count, examined: current.examined })}{' '}
          {isFinished ? t().rangeDialog.end : t().rangeDialog.more}
        </p>
      )}
    </ActionDialog>
  );
};
