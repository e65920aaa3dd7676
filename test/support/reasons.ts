import { randomUUID } from 'node:crypto';

/** A reason that is nobody else's: the shop is one for all tests, and they leave its other reasons alone. */
export const ownCode = (): string => {
  const letters = Array.from(randomUUID().replaceAll('-', ''), (digit) =>
    String.fromCodePoint(97 + parseInt(digit, 16)),
  );
  return `own.${letters.join('')}`;
};

/** What is told of a reason that demands nothing. */
export const reasonFacts = {
  labels: { en: 'Runs small', 'pt-BR': 'Forma pequena' },
  fault: 'merchant',
  noteRequired: false,
  evidenceRequired: false,
  resolutions: ['refund', 'exchange', 'store_credit', 'repair', 'none'],
  active: true,
} as const;
