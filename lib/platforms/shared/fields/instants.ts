/** An instant as the contract wants it: UTC, whatever offset the platform wrote. Nothing for what is none. */
export const instant = (value: unknown): string | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const text = Number.isNaN(time) ? '' : new Date(time).toISOString();
  // Years beyond four digits have a sign, which the contract has not.
  return /^\d{4}-/.test(text) ? text : undefined;
};

/** A day, and perhaps a time with any number of digits of a second, and its offset. */
const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*\s*(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * As `instant`, of platforms that leave the offset out and mean UTC, which a parser takes for the time of where it runs.
 * The year 0 or 1 is what some write for a time that never was.
 */
export const utcInstant = (value: unknown): string | undefined => {
  const [, day, time = '00:00:00', zone = 'Z'] =
    (typeof value === 'string' && value.length <= 50 && form.exec(value)) || [];
  return day === undefined || day < '1970' ? undefined : instant(`${day}T${time}${zone}`);
};

/** The last of some instants. */
export const latest = (instants: readonly (string | undefined)[]): string | undefined =>
  instants
    .flatMap((at) => at ?? [])
    .toSorted()
    .at(-1);
