/** Whether a value of the API has fields. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value of the API is an amount of money. */
export const isMoney = (value: unknown): value is { readonly amount: number; readonly currency: string } =>
  isRecord(value) && typeof value['amount'] === 'number' && typeof value['currency'] === 'string';
