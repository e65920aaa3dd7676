import type { Members } from './document.ts';

/** The parts of a return that a person enters for a new golden case. */
export type CaseForm = {
  readonly name: string;
  readonly platform: string;
  readonly country: string;
  readonly currency: string;
  readonly value: number;
  readonly sku: string;
  readonly reason: string;
  readonly daysSince: number;
  readonly verdict: string;
};

const dayMs = 86_400_000;

const at = (ms: number): string => new Date(ms).toISOString();

/**
 * Returns a golden case with one unit of one line.
 *
 * @param now epoch milliseconds, the time of the request in the case
 */
export const caseOf = (form: CaseForm, now: number): Members => {
  const { name, platform, country, currency, value, sku, reason, daysSince, verdict } = form;
  const deliveredAt = at(now - daysSince * dayMs);
  return {
    name,
    facts: {
      requestedAt: at(now),
      order: {
        platform,
        ...(country !== '' && { country }),
        currency,
        placedAt: at(now - (daysSince + 3) * dayMs),
        lastDeliveredAt: deliveredAt,
        completeness: 'full',
        timeZone: 'UTC',
        value,
      },
      customer: {},
      return: { initiatedBy: 'customer', isGift: false, quantity: 1, value, reasons: [reason], skus: [sku] },
      lines: [
        {
          orderLineId: '1',
          quantity: 1,
          unitPrice: value,
          value,
          sku,
          reason,
          reasonGroup: reason.split('.', 1)[0] ?? reason,
          resolution: 'refund',
          hasNote: false,
          hasEvidence: false,
          delivered: true,
          deliveredAt,
          rights: [],
        },
      ],
    },
    expect: { verdict },
  };
};
