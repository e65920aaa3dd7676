import type { Arrival, Headers } from '../platform.ts';

/*
 * Saleor sends each header twice, with and without X-; those with it go in 4.0. Only the body is signed.
 * https://docs.saleor.io/developer/extending/webhooks/payload-signature
 */

/** The values of a header: a proxy that repeats it makes API Gateway join them by commas, which no value contains. */
const values = (headers: Headers, name: string): readonly string[] => {
  const found = Object.entries(headers)
    .filter(([key]) => [name, `x-${name}`].includes(key.toLowerCase()))
    .flatMap(([, value]) => (value ?? '').split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [...new Set(found)];
};

/** One value, or nothing: two different ones are nobody's word. */
const single = (headers: Headers, name: string): string | undefined => {
  const [value, ...others] = values(headers, name);
  return others.length === 0 ? value : undefined;
};

/** What a source may be called: a host, or a name in the path. */
const sourceForm = /^[a-z0-9][a-z0-9_.:-]{0,99}$/;

/** Whose keys are to verify a delivery: the source in the path, else the host that it claims to come from. */
export const sourceOf = ({ source, headers }: Pick<Arrival, 'source' | 'headers'>): string | undefined => {
  const claimed = single(headers, 'saleor-api-url') ?? '';
  const named = (source ?? URL.parse(claimed)?.host ?? '').toLowerCase();
  return sourceForm.test(named) ? named : undefined;
};

/** The event that a delivery claims to tell of, in lower case as Saleor writes it: `order_updated`. */
export const eventOf = (headers: Headers): string | undefined => {
  const event = (single(headers, 'saleor-event') ?? '').toLowerCase();
  return /^[a-z_]{1,100}$/.test(event) ? event : undefined;
};

/** Every signature that came along; one of them must fit. */
export const signaturesOf = (headers: Headers): readonly string[] => values(headers, 'saleor-signature');
