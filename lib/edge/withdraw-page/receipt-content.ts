import type { Language } from '../../domain/returns/input-checks.ts';
import type { Instant } from '../../domain/returns/model/order.ts';
import { type DeclaredTime, localTime, timeText } from '../../domain/withdrawals/receipt/local-time.ts';
import { receiptTexts } from '../../domain/withdrawals/receipt/receipt-texts.ts';

/** The texts of a declaration. Absent or empty lines mean the whole contract. */
export type DeclaredTexts = {
  readonly name: string;
  readonly email: string;
  readonly contract: string;
  readonly lines?: string | undefined;
};

/** What the page shows of a signed payload. */
export type ReceiptContent = DeclaredTime & { readonly texts: DeclaredTexts };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const localInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)$/;

/**
 * Reads the payload of a receipt. The connected mode gets it from another service, so its form is checked.
 *
 * @returns undefined for another form
 */
export const receiptContent = (payload: unknown): ReceiptContent | undefined => {
  if (!isRecord(payload) || !isRecord(payload['content'])) return undefined;
  const { declaredAt, timeZone } = payload;
  const { name, email, contract, lines } = payload['content'];
  if (typeof declaredAt !== 'string' || !localInstant.test(declaredAt) || typeof timeZone !== 'string')
    return undefined;
  if (typeof name !== 'string' || typeof email !== 'string' || typeof contract !== 'string') return undefined;
  if (lines !== undefined && typeof lines !== 'string') return undefined;
  return { declaredAt, timeZone, texts: { name, email, contract, lines } };
};

/** Returns the time of a declaration for customers. */
export const shownTime = (time: DeclaredTime, language: Language): string =>
  timeText(time, receiptTexts[language].locale);

/** Returns an instant as local time for customers, in the zone of the page. */
export const shownInstant = (at: Instant, timeZone: string, language: Language): string =>
  shownTime({ declaredAt: localTime(at, timeZone), timeZone }, language);
