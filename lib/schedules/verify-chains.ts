import * as listReturns from '#validators/listReturns';
import * as verifyHistory from '#validators/verifyHistory';
import type { Backend } from '../backend/port.ts';
import * as operations from '../contract/operations.ts';
import { checked } from '../http/checked.ts';
import { log } from '../log.ts';
import { count } from './metrics.ts';
import { openRun, type Remaining } from './run.ts';
import { walkReturns, type Dealt, type Walked } from './walk-returns.ts';

const name = 'verify-chains';

/** A list is a little behind, and clocks of those who write are apart. */
const marginMs = 600_000;

/**
 * Verifies the histories of returns that have changed since the walk before began, and of all where there was none. A
 * broken one is told of, and counted as `ChainBroken`: once a run, since it stops nothing.
 *
 * @throws {ScheduleFailed} once the others are verified, when some could not be
 */
export const verifyChains = (backend: Pick<Backend, 'listReturns' | 'verifyHistory'>) => {
  const list = checked<'listReturns'>(operations.listReturns, listReturns, backend.listReturns);
  const verify = checked<'verifyHistory'>(operations.verifyHistory, verifyHistory, backend.verifyHistory);
  return async function handler(_event: unknown, context: Remaining): Promise<Walked & { readonly broken: number }> {
    using opened = openRun(name, context);
    const broken = new Set<string>();
    const deal = async ({ returnId: id }: { readonly returnId: string }): Promise<Dealt> => {
      const verified = await verify({ returnId: id }, opened.call('returns:read'));
      if (!verified.ok) return verified.failure.code === 'return_not_found' ? 'passed' : 'failed';
      const { valid, firstFault } = verified.value.body;
      if (!valid && !broken.has(id)) {
        broken.add(id);
        log('error', 'history broken', { returnId: id, code: firstFault?.code, sequence: firstFault?.sequence });
      }
      return 'done';
    };
    try {
      const walked = await walkReturns(opened, {
        list,
        query: (earlier) => ({
          sort: 'updatedAt',
          ...(earlier !== undefined && { updatedFrom: new Date(Date.parse(earlier) - marginMs).toISOString() }),
        }),
        wants: () => true,
        deal,
      });
      return { ...walked, broken: broken.size };
    } finally {
      // Told also where nothing is broken: a metric that is missing says nothing.
      count({ ChainBroken: broken.size });
    }
  };
};
