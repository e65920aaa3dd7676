import { instant } from '../text.ts';

/** Times have seven digits of a second, or none, and an offset, `Z`, or neither, which is UTC too. */
const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*\s*(Z|[+-]\d\d:\d\d)?)?$/;

/** An instant as the contract wants it. VTEX writes the year 1 for one that never was. */
export const instantOf = (value: unknown): string | undefined => {
  const [, day, time = '00:00:00', zone = 'Z'] =
    (typeof value === 'string' && value.length <= 50 && form.exec(value)) || [];
  return day === undefined || day < '1970' ? undefined : instant(`${day}T${time}${zone}`);
};
