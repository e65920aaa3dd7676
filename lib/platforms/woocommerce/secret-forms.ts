/*
 * WordPress keeps a secret that was typed in with its markup escaped, and has signed with either form over the years:
 * what an operator copied from one place or the other fits too.
 * https://github.com/woocommerce/woocommerce/issues/22500
 * https://github.com/woocommerce/woocommerce/issues/21693
 */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};
const characters: ReadonlyMap<string, string> = new Map([
  ...Object.entries(entities).map(([character, entity]): [string, string] => [entity, character]),
  ['&#38;', '&'],
  ['&#60;', '<'],
  ['&#62;', '>'],
  ['&#34;', '"'],
  ['&#39;', "'"],
  ['&#x27;', "'"],
]);

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#0?\d{2}|#x27);/g, (entity) => characters.get(entity) ?? entity);

/** The texts that a site may sign with: a secret as we hold it, escaped, and with its escapes undone. */
export const formsOf = (secret: string): readonly string[] => [
  ...new Set([secret, escaped(secret), unescaped(secret)]),
];
