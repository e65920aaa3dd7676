import { useEffect, useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getHistory } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';

export type Entry = Output<'getHistory'>['items'][number];

/** The entries that were read so far, the oldest first. */
export type Entries = {
  readonly items: readonly Entry[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly problem?: Problem;
  /** Reads the next page. */
  readonly more: () => void;
};

const pageSize = 100;

type State = {
  readonly items: readonly Entry[];
  readonly cursor: string | null | undefined;
  readonly problem?: Problem;
};

/** Reads a history page by page. */
export const useEntries = (returnId: string): Entries => {
  const [state, setState] = useState<State>({ items: [], cursor: undefined });
  const [isLoading, setLoading] = useState(false);
  const read = async (signal?: AbortSignal) => {
    const { cursor, items } = state;
    setLoading(true);
    try {
      const input = { returnId, limit: pageSize, ...(typeof cursor === 'string' && { cursor }) };
      const answer = await call(getHistory, input, signal === undefined ? {} : { signal });
      if (answer.ok) setState({ items: [...items, ...answer.value.items], cursor: answer.value.nextCursor });
      else setState({ ...state, problem: answer.problem });
      setLoading(false);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  };
  useEffect(() => {
    const abort = new AbortController();
    void read(abort.signal);
    return () => abort.abort();
    // A screen of another return is another component.
  }, []);
  const { items, cursor, problem } = state;
  return {
    items,
    hasMore: typeof cursor === 'string',
    isLoading,
    ...(problem !== undefined && { problem }),
    more: () => void read(),
  };
};
