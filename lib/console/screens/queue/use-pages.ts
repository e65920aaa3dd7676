import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';

type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

type State<Item> = {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly problem?: Problem;
  readonly isLoading: boolean;
};

export type Pages<Item> = State<Item> & { readonly loadMore: () => void; readonly reload: () => void };

/** A page can be short although another one exists: so many requests fill one page of the screen. */
const maxRequests = 5;
const enough = 25;

/**
 * Reads a list page by page. Another key begins again with the first page.
 *
 * @param read reads the page of a cursor; undefined is the first page
 */
export const usePages = <Item>(
  key: string,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Answer<Page<Item>>>,
): Pages<Item> => {
  const [state, setState] = useState<State<Item>>({ items: [], nextCursor: null, isLoading: true });
  const [round, setRound] = useState(0);
  const running = useRef<AbortController | undefined>(undefined);
  const shownKey = useRef(key);

  const run = async (before: readonly Item[], cursor: string | undefined, shown: readonly Item[]) => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setState((last) => ({ items: shown, nextCursor: last.nextCursor, isLoading: true }));
    try {
      const items = [...before];
      let next: string | undefined = cursor;
      for (let request = 0; request < maxRequests; request += 1) {
        const answer = await read(next, abort.signal);
        if (abort.signal.aborted) return;
        if (!answer.ok) {
          setState((last) => ({ ...last, problem: answer.problem, isLoading: false }));
          return;
        }
        items.push(...answer.value.items);
        next = answer.value.nextCursor ?? undefined;
        if (next === undefined || items.length - before.length >= enough) break;
      }
      setState({ items, nextCursor: next ?? null, isLoading: false });
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    }
  };

  useEffect(() => {
    // Rows of other filters would mislead. On a reload the rows stay until the new ones are here.
    const shown = shownKey.current === key ? state.items : [];
    shownKey.current = key;
    void run([], undefined, shown);
    return () => running.current?.abort();
  }, [key, round]);

  return {
    ...state,
    loadMore: () => {
      if (state.nextCursor !== null && !state.isLoading) void run(state.items, state.nextCursor, state.items);
    },
    reload: () => setRound((before) => before + 1),
  };
};
