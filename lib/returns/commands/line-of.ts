import { decided, refused, type Decision } from '../failure.ts';
import type { Line, Return } from '../model/return.ts';

/** A line of a return by its id. */
export const lineOf = ({ lines }: Pick<Return, 'lines'>, lineId: string): Decision<Line> => {
  const line = lines.find(({ id }) => id === lineId);
  if (line !== undefined) return decided(line);
  const errors = [{ path: '/lineId', code: 'unknown', message: 'must be a line of the return' }];
  return refused({ code: 'return_line_not_found', detail: 'The return has no such line.', errors });
};
