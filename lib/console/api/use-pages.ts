import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
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
  readonly reload: () => void;
};

type State<Each> = { readonly items?: readonly Each[]; readonly cursor?: string; readonly problem?: Problem };

/** A page may be empty and still have a next page. After this number of empty pages, the person decides. */
const maxEmptyPages = 5;

/**
 * Reads a list page by page, and reads it again when the input changes.
 *
 * @param input undefined reads nothing
 */
export const usePages = <Name extends PagedName>(
  operation: Named<Name>,
  input: Input<Name> | undefined,
): Pages<Item<Name>> => {
  const key = input === undefined ? undefined : JSON.stringify([operation.name, input]);
  const [state, setState] = useState<State<Item<Name>>>({});
  const [isLoading, setLoading] = useState(key !== undefined);
  const [round, setRound] = useState(0);
  const shownKey = useRef(key);
  const abort = useRef<AbortController | undefined>(undefined);

  const read = async (before: readonly Item<Name>[], first: string | undefined): Promise<void> => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    setLoading(true);
    let cursor = first;
    try {
      for (let empty = 1; ; empty += 1) {
        const fields = { ...input, ...(cursor !== undefined && { cursor }) } as Input<Name>;
        const answer = await call(operation, fields, { signal: controller.signal });
        if (controller.signal.aborted) return;
        if (!answer.ok) {
          setState((shown) => ({ ...shown, problem: answer.problem }));
          break;
        }
        const { items, nextCursor } = answer.value as unknown as { items: Item<Name>[]; nextCursor: string | null };
        cursor = nextCursor ?? undefined;
        if (items.length > 0 || cursor === undefined || empty >= maxEmptyPages) {
          setState({ items: [...before, ...items], ...(cursor !== undefined && { cursor }) });
          break;
        }
      }
      setLoading(false);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    }
  };

  useEffect(() => {
    if (input === undefined) return undefined;
    if (shownKey.current !== key) setState({});
    shownKey.current = key;
    void read([], undefined);
    return () => abort.current?.abort();
    // The key has the whole input.
  }, [key, round]);

  const { items, cursor, problem } = shownKey.current === key ? state : {};
  return {
    ...(items !== undefined && { items }),
    ...(problem !== undefined && { problem }),
    hasMore: cursor !== undefined,
    isLoading,
    loadMore: () => void read(items ?? [], cursor),
    reload: () => setRound((before) => before + 1),
  };
};
