import { rowsOf } from '../../deploy/functions.ts';
import type { Mode } from '../../deploy/functions/function-row.ts';
import { functionFiles } from '../functions.ts';

/**
 * Compares the table of functions with the files under functions/.
 *
 * @param names the functions of the mode that have a file
 * @throws Error when a file has no row, or a row no file
 */
export const checkRows = (mode: Mode, names: readonly string[] = functionFiles(mode).map(({ name }) => name)): void => {
  const rows = new Set(rowsOf(mode).map(([name]) => name));
  const missing = names.find((name) => !rows.has(name));
  if (missing !== undefined) throw new Error(`lib/deploy/functions.ts has no row for ${missing} in the ${mode} mode`);
  const idle = [...rows].find((name) => !names.includes(name));
  if (idle !== undefined)
    throw new Error(`lib/deploy/functions.ts has a row for ${idle}, and no file under functions/ has that name`);
};
