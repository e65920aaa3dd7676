/** Text that the contract accepts: not empty, and no longer than the field. */
export const clip = (value: unknown, length: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, length).toWellFormed() : undefined;

/** Instants as the contract wants them: UTC, whatever offset the shop wrote. */
export const instant = (value: string | null): string | undefined =>
  value !== null && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;

/** A web address as the contract wants it. */
export const webAddress = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 2000 && /^https?:\/\/[\x21-\x7e]+$/.test(value) ? value : undefined;
