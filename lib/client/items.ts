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
    const isPage = Array.isArray(found) && (nextCursor === null || typeof nextCursor === 'string');
    if (!isPage) return yield fail(unavailable('answered with what is no page'));
    for (const item of found) yield ok(item);
    // What never ends, as events do, gives the same cursor again where there is nothing more now.
    if (nextCursor === null || nextCursor === cursor) return undefined;
    cursor = nextCursor;
    page = await read(cursor);
  }
}
