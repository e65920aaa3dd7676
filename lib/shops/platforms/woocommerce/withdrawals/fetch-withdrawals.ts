import { fail, ok, type Result } from '../../../../runtime/result.ts';
import type { JsonObject } from '../../../../runtime/json.ts';
import { log } from '../../../../runtime/log.ts';
import type { RemoteWithdrawal, ShopFailure } from '../../platform.ts';
import { clip, objectOf, objectsOf, optional, utcInstant } from '../../shared/fields/fields.ts';
import type { Shop } from '../../shared/http/api.ts';
import { callApi, type WithdrawalSettings } from '../api.ts';

/*
 * The order withdrawal of WooCommerce 11.1. The site marks an order whose number and e-mail address fit the form of the
 * consumer, and adds a private note with the type in the language of the site. Neither holds the texts of the consumer:
 * those are only in the mails of the site.
 * https://github.com/woocommerce/woocommerce/pull/66963
 */

const requestedMark = { key: '_order_withdrawal_requested', value: 'yes' } as const;

/** The notes of a site in English. Others have a translation of them. */
const englishNotes = {
  whole: 'Order withdrawal requested. Withdrawal type: The full order.',
  specific: 'Order withdrawal requested. Withdrawal type: Specific items only.',
} as const;

type WithdrawalNote = { readonly type: 'whole' | 'specific'; readonly text: string; readonly at: string | undefined };

/** Whether a consumer has withdrawn from an order by the form of the site. */
const isWithdrawn = ({ meta_data: meta }: JsonObject): boolean =>
  objectsOf(meta).some(({ key, value }) => key === requestedMark.key && value === requestedMark.value);

/** Finds the oldest note of a withdrawal among the private notes of an order. */
const findNote = (notes: readonly JsonObject[], { notes: own }: WithdrawalSettings): WithdrawalNote | undefined =>
  notes
    .filter((note) => note['customer_note'] !== true)
    .flatMap((note): WithdrawalNote[] => {
      const text = clip(note['note'], 2000) ?? '';
      const at = utcInstant(note['date_created_gmt']);
      if (text === englishNotes.whole || text === own?.whole) return [{ type: 'whole', text, at }];
      return text === englishNotes.specific || text === own?.specific ? [{ type: 'specific', text, at }] : [];
    })
    .toSorted((a, b) => ((a.at ?? '~') < (b.at ?? '~') ? -1 : 1))[0];

/** The form of the site demands a name and an address, and the address is that of the order. */
const consumerOf = ({ billing }: JsonObject) => {
  const { first_name: first, last_name: last, company, email } = objectOf(billing);
  const names = [first, last].flatMap((name) => clip(name, 100) ?? []).join(' ');
  const address = clip(email, 320);
  return address === undefined ? undefined : { email: address, name: names || clip(company, 200) || address };
};

/** What an order names: its number at the site, its withdrawal and its consumer. */
type WithdrawnOrder = {
  readonly platform: string;
  readonly orderId: string;
  readonly observedAt: string;
  readonly settings: WithdrawalSettings;
};

const earlier = (at: string, limit: string): string => (at < limit ? at : limit);

/**
 * Returns the declaration of a marked order. An order has one, because the site accepts one.
 * Without a readable note, the order changed last when or after it was marked, and staff finds the units.
 */
const withdrawalOf = (
  order: JsonObject,
  notes: readonly JsonObject[],
  { platform, orderId, observedAt, settings }: WithdrawnOrder,
): RemoteWithdrawal | undefined => {
  const consumer = consumerOf(order);
  if (consumer === undefined) return undefined;
  const note = findNote(notes, settings);
  const at = note?.at ?? utcInstant(order['date_modified_gmt']) ?? observedAt;
  const lines =
    note === undefined ? 'The shop has recorded no lines.' : note.type === 'specific' ? note.text : undefined;
  return {
    declaration: {
      ...consumer,
      contract: clip(order['number'], 200) ?? orderId,
      ...optional('lines', lines),
      platform,
      ...optional('language', settings.language),
      ...optional('timeZone', settings.timeZone),
      declaredAt: earlier(at, observedAt),
      source: { platform, externalId: `order-${orderId}` },
    },
    ...(note?.type === 'whole' && { covers: 'whole_order' as const }),
  };
};

/** The site writes the note right after the mark. A reader in between waits for it. */
const noteMs = 15_000;

const isJustMarked = (order: JsonObject, observedAt: string): boolean => {
  const at = utcInstant(order['date_modified_gmt']);
  return at !== undefined && Date.parse(observedAt) - Date.parse(at) < noteMs;
};

/** Reads the notes of an order. A site that does not serve them has none. */
const readNotes = async (shop: Shop, orderId: string): Promise<Result<readonly JsonObject[], ShopFailure>> => {
  const read = await callApi(shop, `/orders/${orderId}/notes?type=internal`);
  if (!read.ok) return read.failure.kind === 'permanent' ? ok([]) : read;
  return ok(objectsOf(read.value));
};

/**
 * Fetches the declarations of an order: none, or one.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#list-all-order-notes
 */
export const fetchWithdrawals = async (
  shop: Shop,
  order: JsonObject,
  of: WithdrawnOrder,
): Promise<Result<readonly RemoteWithdrawal[], ShopFailure>> => {
  if (!isWithdrawn(order)) return ok([]);
  const notes = await readNotes(shop, of.orderId);
  if (!notes.ok) return notes;
  const isNoted = findNote(notes.value, of.settings) !== undefined;
  if (!isNoted && isJustMarked(order, of.observedAt))
    return fail({ kind: 'retryable', reason: 'withdrawal_note_missing' });
  if (!isNoted) log('warn', 'withdrawal note not recognized', { platform: of.platform, orderId: of.orderId });
  const withdrawal = withdrawalOf(order, notes.value, of);
  return ok(withdrawal === undefined ? [] : [withdrawal]);
};
