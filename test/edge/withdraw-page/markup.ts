/** A start tag of a page of ours, which writes attributes in double quotes. */
export type Tag = { readonly name: string; readonly attributes: Readonly<Record<string, string>> };

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|amp|#39);/g, (entity) => entities[entity] ?? '');

/** Returns the start tags of a page in their order. */
export const tagsOf = (page: string): readonly Tag[] =>
  [...page.matchAll(/<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g)].map(([, name = '', attributes = '']) => ({
    name,
    attributes: Object.fromEntries(
      [...attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, unescaped(value)]),
    ),
  }));

export const named = (page: string, name: string): readonly Tag[] => tagsOf(page).filter((tag) => tag.name === name);

/** Returns the hidden fields of a page, as a browser sends them. */
export const hiddenFields = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    named(page, 'input')
      .filter(({ attributes }) => attributes['type'] === 'hidden')
      .map(({ attributes }) => [attributes['name'] ?? '', attributes['value'] ?? '']),
  );

/** Returns the text of a page without its markup and style. */
export const textOf = (page: string): string =>
  unescaped(page.replaceAll(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ')).replaceAll(/\s+/g, ' ');
