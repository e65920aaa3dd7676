import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { keep, placeNow } from '../app/place.ts';
import { call, type Named } from './call.ts';
import type { Problem } from './problem.ts';

type Page = { readonly items: readonly unknown[]; readonly nextCursor: string | null };

/** The operations whose lists come page by page. */
export type PagedName = {
  [Name in OperationName]: Output<Name> extends Page ? Name : never;
}[OperationName];

type Item<Name extends PagedName> = Output<Name> extends { items: (infer Each)[] } ? Each : never;

/** What a screen knows of a list. The pages so far stay while the list is read again. */
export type Pages<Each> = {
  readonly items?: readonly Each[];
  readonly hasMore: boolean;
  readonly problem?: Problem;
  readonly isLoading: boolean;
  readonly loadMore: () => void;
  /** Reads the list again from its first page. */
  readonly reload: () => void;
  /** Repeats the last request, which failed. */
  readonly retry: () => void;
};

export type PageOptions = {
  /** Pages are read until there are so many new items, as far as the list goes. */
  readonly enough?: number;
  /** Another number reads the list again. Its items stay until the new ones are here. */
  readonly round?: number;
};

type State<Each> = { readonly items?: readonly Each[]; readonly cursor?: string; readonly problem?: Problem };

/** A page may be short or empty and still have a next page. After this number of pages, the person decides. */
const maxPages = 5;

/** The lists as they were last shown, by their requests. */
const shownLists = new Map<string, State<unknown>>();

const maxLists = 20;
/** The rows of a page, at least as a rule. */
const minPage = 10;
const maxKeptRows = 500;

const keptRows = (key: string): number => Math.min(maxKeptRows, placeNow().rows?.[key] ?? 0);

const rememberList = (key: string, state: State<unknown>): void => {
  shownLists.delete(key);
  shownLists.set(key, state);
  for (const [oldest] of shownLists) if (shownLists.size > maxLists) shownLists.delete(oldest);
  keep({ rows: { ...placeNow().rows, [key]: state.items?.length ?? 0 } });
};

/** Returns a list that the entry of the history has shown before. A new entry begins with the first page. */
const recallList = <Each>(key: string | undefined): State<Each> =>
  key !== undefined && keptRows(key) > 0 ? ((shownLists.get(key) ?? {}) as State<Each>) : {};

/**
 * Reads a list page by page, and reads it again when the input changes. After Back it shows the rows that it had, and
 * reads as many again.
 *
 * @param input undefined reads nothing
 */
export const usePages = <Name extends PagedName>(
  operation: Named<Name>,
  input: Input<Name> | undefined,
  { enough = 1, round: outerRound = 0 }: PageOptions = {},
): Pages<Item<Name>> => {
  const key = input === undefined ? undefined : JSON.stringify([operation.name, input]);
  const [state, setState] = useState<State<Item<Name>>>(() => recallList(key));
  const [isLoading, setLoading] = useState(key !== undefined);
  const [round, setRound] = useState(0);
  const shownKey = useRef(key);
  const abort = useRef<AbortController | undefined>(undefined);
  const start = useRef<readonly [readonly Item<Name>[], string | undefined]>([[], undefined]);

  const read = async (before: readonly Item<Name>[], first?: string, rows = 0): Promise<void> => {
    if (key === undefined) return;
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    start.current = [before, first];
    setLoading(true);
    const found = [...before];
    let cursor = first;
    try {
      for (let page = 1; ; page += 1) {
        const fields = { ...input, ...(cursor !== undefined && { cursor }) } as Input<Name>;
        const answer = await call(operation, fields, { signal: controller.signal });
        if (controller.signal.aborted) return;
        if (!answer.ok) {
          setState((shown) => ({ ...shown, problem: answer.problem }));
          break;
        }
        const { items, nextCursor } = answer.value as unknown as { items: Item<Name>[]; nextCursor: string | null };
        found.push(...items);
        cursor = nextCursor ?? undefined;
        const isEnough = found.length - before.length >= Math.max(enough, rows);
        if (isEnough || cursor === undefined || page >= maxPages + rows / minPage) {
          const next = { items: found, ...(cursor !== undefined && { cursor }) };
          setState(next);
          rememberList(key, next);
          break;
        }
      }
      setLoading(false);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    }
  };

  useEffect(() => {
    if (key === undefined) return undefined;
    if (shownKey.current !== key) setState(recallList(key));
    shownKey.current = key;
    void read([], undefined, keptRows(key));
    return () => abort.current?.abort();
    // The key has the whole input.
  }, [key, round, outerRound]);

  const { items, cursor, problem } = shownKey.current === key ? state : {};
  return {
    ...(items !== undefined && { items }),
    ...(problem !== undefined && { problem }),
    hasMore: cursor !== undefined,
    isLoading,
    loadMore: () => {
      if (cursor !== undefined && !isLoading) void read(items ?? [], cursor);
    },
    reload: () => setRound((before) => before + 1),
    retry: () => void read(...start.current),
  };
};
