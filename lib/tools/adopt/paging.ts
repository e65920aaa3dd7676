import type { Endpoint } from './description.ts';
import { wordsOf } from './names.ts';
import { pageWords } from './vocabulary.ts';

/** How a list continues, by the query parameters of its description. */
export type Paging = {
  readonly kind: 'page' | 'offset' | 'cursor' | 'none';
  /** The parameter of the page, the offset or the cursor. */
  readonly position: string | undefined;
  readonly size: string | undefined;
};

/** Finds the parameters of pages. */
export const pagingOf = ({ parameters }: Endpoint): Paging => {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const named = (kind: keyof typeof pageWords): string | undefined =>
    names.find((name) => pageWords[kind].test(wordsOf(name).join('')));
  const size = named('size');
  for (const kind of ['cursor', 'page', 'offset'] as const) {
    const position = named(kind);
    if (position !== undefined && position !== size) return { kind, position, size };
  }
  return { kind: 'none', position: undefined, size };
};
