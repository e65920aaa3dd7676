/** One step of a JSON Pointer (RFC 6901, 3). */
export const pointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
