import { fail, ok } from '../contract/result.ts';
import { unavailable } from './failures.ts';
import type { Answer, Result } from './public.ts';

export type Page = { readonly items: readonly unknown[]; readonly nextCursor: string | null };

/**
 * The items of a list one after the other. Each is a result: a refusal is the last one.
 *
 * @param read reads the page that begins at a cursor; none: where the caller wants to begin
 */
export async function* items(
  read: (cursor?: string) => Promise<Result<Answer<Page>>>,
): AsyncGenerator<Result<unknown>> {
  let page = await read();
  let cursor: string | null = null;
  for (;;) {
    if (!page.ok) return yield page;
    const { items: found, nextCursor } = page.value.body;
    if (!Array.isArray(found)) return yield fail(unavailable('answered without items'));
    for (const item of found) yield ok(item);
    // What never ends, as events do, gives the same cursor again where there is nothing more now.
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return undefined;
    cursor = nextCursor;
    page = await read(cursor);
  }
}
