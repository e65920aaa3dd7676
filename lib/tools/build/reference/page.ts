/*
 * The reference as data. Texts are Markdown with code spans and links; a link to another page is
 * `[Money](page:types/Money)`. One renderer writes Markdown, another one HTML.
 */

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

export const groups = ['operations', 'events', 'errors', 'types'] as const;
export type Group = (typeof groups)[number];

export const groupTitles: Readonly<Record<Group, string>> = {
  operations: 'Operations',
  events: 'Events',
  errors: 'Error codes',
  types: 'Types',
};

export type Page = {
  readonly group: Group;
  /** The name of the operation, the event type, the error code or the schema. */
  readonly id: string;
  readonly title: string;
  /** One sentence for lists of pages. */
  readonly summary: string;
  /** The heading under which a list of pages shows it. */
  readonly section: string;
  readonly blocks: readonly Block[];
};

export const heading = (text: string): Block => ({ kind: 'heading', text });
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
export const code = (language: string, text: string): Block => ({ kind: 'code', language, text });
export const json = (value: unknown): Block => code('json', JSON.stringify(value, null, 2));

/** A table under its heading; nothing where it would have no rows. */
export const table = (
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Block[] => (rows.length === 0 ? [] : [heading(title), { kind: 'table', columns, rows }]);

/** A link to another page of the reference. */
export const linkTo = (group: Group, id: string): string => `[${id}](page:${group}/${id})`;

/** A name as it stands in a file or a URL of the reference. */
export const slugOf = (id: string): string => id.replaceAll(/[^A-Za-z0-9._-]/g, '-');
