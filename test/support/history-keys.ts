import { parseKeyRing } from '../../lib/service/execution/key-ring.ts';
import type { Secrets } from '../../lib/tools/local/emulators/secrets-store.ts';
import type { KeyRing } from '../../lib/domain/returns/history/mac.ts';

/** Returns the text of the secret of a key ring. */
export const ringText = (ids: readonly string[] = ['first']): string =>
  JSON.stringify({
    current: ids.at(-1),
    ...Object.fromEntries(ids.map((id) => [id, `the-secret-of-the-key-called-${id}`.padEnd(40, '.')])),
  });

export const ringOf = (text: string): KeyRing => {
  const ring = parseKeyRing(text);
  if (ring === undefined) throw new Error('no ring of keys');
  return ring;
};

/** The keys of histories that no function reads. */
export const unitRing = ringOf(ringText());

/** The secret of these tests, for HISTORY_KEYS_ID. */
export const unitKeysId = 'history-keys';

/** The keys of receipts in these tests, and the issuer. */
export const unitReceipts = { RECEIPT_KEYS_ID: 'receipt-keys', RECEIPT_ISSUER: 'urn:returns:unit' };

/** The keys of the search in these tests: before and after a rotation, and without the key before. */
export const unitSearch = {
  first: { SEARCH_KEYS_ID: 'search-keys' },
  rotated: { SEARCH_KEYS_ID: 'rotated-search-keys' },
  reduced: { SEARCH_KEYS_ID: 'reduced-search-keys' },
  off: { SEARCH_KEYS_ID: undefined },
} as const;

/** Creates the keys of histories, receipts and the search in a Secrets Manager of a test. */
export const createHistoryKeys = async (secrets: Secrets): Promise<void> => {
  await secrets.create(unitKeysId, { secretString: ringText() });
  await secrets.create(unitReceipts.RECEIPT_KEYS_ID, { secretString: ringText(['receipts']) });
  await secrets.create(unitSearch.first.SEARCH_KEYS_ID, { secretString: ringText(['search']) });
  await secrets.create(unitSearch.rotated.SEARCH_KEYS_ID, { secretString: ringText(['search', 'next']) });
  await secrets.create(unitSearch.reduced.SEARCH_KEYS_ID, { secretString: ringText(['next']) });
};
