/** Part of ECMA-402 (Intl Locale Info), which the types of the compiler lack. */
type LocaleWithZones = Intl.Locale & { readonly getTimeZones?: () => readonly string[] | undefined };

const localeOf = (tag: string): LocaleWithZones | undefined => {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
};

/**
 * Returns the time zone of a consumer, by the region of the language that the browser prefers: Europe/Lisbon for pt-PT.
 * The page runs no script, so it cannot ask for the zone. The islands of a European state have other zones than its
 * mainland, which the receipt names.
 *
 * @param accepted the value of Accept-Language (RFC 9110, section 12.5.4)
 * @param otherwise the zone of the deployment, where the region is unknown or has several zones
 */
export const consumerZone = (accepted: string | undefined, otherwise: string): string => {
  const [preferred = ''] = (accepted ?? '').split(/[,;]/, 1);
  const locale = localeOf(preferred.trim());
  if (locale?.region === undefined) return otherwise;
  const zones = locale.getTimeZones?.() ?? [];
  const mainland = zones.find((zone) => zone.startsWith('Europe/'));
  const [only] = zones.length === 1 ? zones : [];
  return mainland ?? only ?? otherwise;
};
