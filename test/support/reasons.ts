import { randomUUID } from 'node:crypto';

/** Returns a reason code that no other test uses: all tests share the shop, and leave its other reasons alone. */
export const ownCode = (): string => {
  const letters = Array.from(randomUUID().replaceAll('-', ''), (digit) =>
    String.fromCodePoint(97 + parseInt(digit, 16)),
  );
  return `own.${letters.join('')}`;
};

/** The facts of a reason without requirements. */
export const reasonFacts = {
  labels: { en: 'Runs small', 'pt-BR': 'Forma pequena' },
  fault: 'merchant',
  noteRequired: false,
  evidenceRequired: false,
  resolutions: ['refund', 'exchange', 'store_credit', 'repair', 'none'],
  active: true,
} as const;
