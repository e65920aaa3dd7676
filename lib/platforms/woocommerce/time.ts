import { instant } from '../text.ts';

/** Times in UTC come without a zone: `2017-03-21T20:07:11`. */
export const utc = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(value)
    ? instant(`${value}Z`)
    : undefined;
