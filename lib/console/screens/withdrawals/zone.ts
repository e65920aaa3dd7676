import { locale } from '../../texts/language.ts';

/** Formats a time to the second in a zone. A zone that the browser does not know gives UTC. */
export const timeInZone = (at: string, timeZone: string): string => {
  const style = { dateStyle: 'long', timeStyle: 'long' } as const;
  try {
    return new Intl.DateTimeFormat(locale.value, { ...style, timeZone }).format(new Date(at));
  } catch {
    return new Intl.DateTimeFormat(locale.value, { ...style, timeZone: 'UTC' }).format(new Date(at));
  }
};
