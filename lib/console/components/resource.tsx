import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/use-call.ts';
import { Loading } from './basics.tsx';
import { ProblemNotice } from './problem-notice.tsx';

/** Shows a resource as soon as it is read, or why it cannot be read. */
export const Resource = <Value,>({
  of,
  children,
}: {
  of: Loaded<Value>;
  children: (value: Value) => ComponentChildren;
}) => (
  <>
    {of.problem !== undefined && <ProblemNotice problem={of.problem} onRetry={of.reload} />}
    {of.value !== undefined ? children(of.value) : of.problem === undefined && <Loading />}
  </>
);
