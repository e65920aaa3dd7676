/** A text that says something. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** An id of Medusa's, or of whoever brought data into it. */
export const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w:-][\w.:-]{0,99}$/.test(value) ? value : undefined;

/** Units, as many as the contract takes of one line, of JSON whose numbers are texts. */
export const unitsIn = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,5}(?:\.0+)?$/.test(value) ? Number(value) : undefined;
