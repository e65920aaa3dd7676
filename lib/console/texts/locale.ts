/** Returns the canonical form of a language tag (BCP 47); undefined for another text, which `Intl` does not accept. */
const canonicalTag = (name: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(name)[0];
  } catch {
    return undefined;
  }
};

/**
 * Returns the language of dates and amounts: the first variant of the chosen language that the browser names, or the
 * chosen one. Browsers on POSIX systems also name locales such as `en_GB.UTF-8` and `en-GB@posix`.
 */
export const localeFor = (chosen: string, named: readonly string[]): string =>
  named
    .map((name) => canonicalTag(name.replace(/[.@].*$/s, '').replaceAll('_', '-')))
    .find((tag) => tag !== undefined && (tag === chosen || tag.startsWith(`${chosen}-`))) ?? chosen;
