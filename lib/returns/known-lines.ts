import { decided, refused, type Decision } from './failure.ts';

/**
 * Whether a command names nothing but lines of the return.
 *
 * @param ids the ids of the return's lines
 * @param list the field that names them
 */
export const knownLines = (
  ids: Pick<ReadonlySet<string>, 'has'>,
  named: readonly { readonly lineId: string }[],
  list: 'lines' | 'contents' = 'lines',
): Decision<null> => {
  const errors = named.flatMap(({ lineId }, index) =>
    ids.has(lineId)
      ? []
      : [{ path: `/${list}/${index}/lineId`, code: 'unknown', message: 'must be a line of the return' }],
  );
  return errors.length === 0
    ? decided(null)
    : refused({ code: 'return_line_not_found', detail: 'The return has no such line.', errors });
};
