import { isObject, parseJson, type JsonObject } from '../../runtime/json.ts';
import type { Name, NameKind } from '../../store/inbox/inbox-names.ts';

/*
 * Reads the names in the body of a delivery, of any platform. These are e-mail addresses in any text, and ids and
 * numbers by the names of their fields. The cost is linear in the size of the body, and the number of names has a
 * limit.
 */

/** The maximum number of stored names of a body. Each is a row. */
export const maxNames = 20;

/** The longest address (RFC 5321). No id is longer. */
const maxLength = 320;

type SubjectKind = Extract<NameKind, 'customer' | 'order' | 'return'>;

const subjects: ReadonlyMap<string, SubjectKind> = new Map([
  ...['customer', 'customers', 'buyer', 'user', 'client', 'shopper'].map((word) => [word, 'customer'] as const),
  ...['order', 'orders'].map((word) => [word, 'order'] as const),
  ...['return', 'returns', 'rma'].map((word) => [word, 'return'] as const),
]);

/** A topic with such a word has a subject that belongs to an order or a return. */
const otherSubjects: ReadonlySet<string> = new Set([
  'creditmemo',
  'refund',
  'refunds',
  'invoice',
  'shipment',
  'payment',
]);

/** The object in such a field is the subject of the delivery, as the top of the body is. */
const wrappers: ReadonlySet<string> = new Set([
  'after',
  'before',
  'body',
  'data',
  'detail',
  'event',
  'node',
  'object',
  'payload',
  'resource',
  'value',
]);

/** Words that do not name the subject of an id, as in `entity_id` or `admin_graphql_api_id`. */
const fillers: ReadonlySet<string> = new Set(['admin', 'api', 'entity', 'external', 'global', 'graphql', 'legacy']);

const idWords: ReadonlySet<string> = new Set(['id', 'ids', 'gid', 'uuid', 'key']);
/** `increment_id` and `display_id` are numbers for people. */
const numberedIds: ReadonlySet<string> = new Set(['increment', 'display']);

/** The words of a field: `customerId` and `customer_id` are both `customer`, `id`. */
const wordsOf = (field: string): readonly string[] =>
  field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const nounIn = (words: readonly string[]): string | undefined => words.findLast((word) => !fillers.has(word));

type Reference = { readonly type: 'id' | 'number'; readonly noun: string | undefined };

/** What a field refers to. The last word before the id names the subject. */
const referenceOf = (words: readonly string[], value: string): Reference | undefined => {
  const [last = '', before = ''] = [words.at(-1), words.at(-2)];
  if (idWords.has(last) && numberedIds.has(before)) return { type: 'number', noun: nounIn(words.slice(0, -2)) };
  if (last === 'number' || (last === 'name' && value.startsWith('#')))
    return { type: 'number', noun: nounIn(words.slice(0, -1)) };
  if (idWords.has(last)) return { type: 'id', noun: nounIn(words.slice(0, -1)) };
  return words.length === 1 && subjects.has(last) ? { type: 'id', noun: last } : undefined;
};

/** The subject of an object of the body, as its field names it. */
type SubjectContext = { readonly of: readonly SubjectKind[]; readonly isTop: boolean };

const noContext: SubjectContext = { of: [], isTop: false };

const kindsOf = (field: string, value: string, context: SubjectContext): readonly NameKind[] => {
  const reference = referenceOf(wordsOf(field), value);
  if (reference === undefined) return [];
  const { type, noun } = reference;
  const own = noun === undefined ? undefined : subjects.get(noun);
  const about = noun === undefined ? context.of : own === undefined ? [] : [own];
  if (type === 'id') return about;
  return about.includes('order') ? ['number'] : [];
};

const isName = (text: string): boolean => text.length > 0 && text.length <= maxLength;

/** Finds the addresses in a text. It splits the text: the cost of a pattern would not be linear. */
const addressesIn = (text: string): readonly Name[] => {
  if (!text.includes('@') && !text.includes('%40')) return [];
  const tokens = text.replaceAll('%40', '@').split(/[\s<>"'`(),;:=&?/\\[\]{}|]+/);
  return tokens
    .filter((token) => isName(token) && /^[^@]+@[^@]+$/.test(token))
    .map((token) => ({ kind: 'email', value: token.endsWith('.') ? token.slice(0, -1) : token }));
};

const namesOfField = (field: string, value: string | number, context: SubjectContext): readonly Name[] => {
  const text = String(value);
  const addresses = addressesIn(text);
  // Shops give a guest the id 0.
  if (addresses.length > 0 || text === '0' || !isName(text) || /\s/.test(text)) return addresses;
  return kindsOf(field, text, context).map((kind) => ({ kind, value: text }));
};

const order: readonly NameKind[] = ['email', 'customer', 'order', 'number', 'return'];

/** Collects names, each once, and returns the most specific kinds first. */
const collector = () => {
  const byKind = new Map<NameKind, Set<string>>(order.map((kind) => [kind, new Set()]));
  return {
    add: (names: readonly Name[]) => {
      for (const { kind, value } of names) {
        const values = byKind.get(kind);
        if (values !== undefined && values.size < maxNames) values.add(value);
      }
    },
    chosen: (): readonly Name[] => {
      const names = [...byKind].flatMap(([kind, values]) => [...values].map((value) => ({ kind, value })));
      // Two shops of a platform may use the same number, so a number counts only without a better name.
      const isKnown = names.some(({ kind }) => kind === 'email' || kind === 'customer' || kind === 'order');
      return names.filter(({ kind }) => !(isKnown && kind === 'number')).slice(0, maxNames);
    },
  };
};

const contextOf = (field: string, within: SubjectContext): SubjectContext => {
  const words = wordsOf(field);
  if (within.isTop && words.every((word) => wrappers.has(word))) return within;
  const subject = subjects.get(words.at(-1) ?? '');
  return subject === undefined ? noContext : { of: [subject], isTop: false };
};

/** The subject that an object states itself. */
const declaredIn = ({ typeId, type }: JsonObject): SubjectContext | undefined => {
  const declared = typeId ?? type;
  const subject = typeof declared === 'string' ? subjects.get(wordsOf(declared).at(-1) ?? '') : undefined;
  return subject === undefined ? undefined : { of: [subject], isTop: false };
};

/** The subject of the delivery, by its topic. */
const topContextOf = (topic: string): SubjectContext => {
  const words = wordsOf(topic);
  if (words.some((word) => otherSubjects.has(word))) return { of: [], isTop: true };
  const of = words.flatMap((word) => subjects.get(word) ?? []);
  return { of: of.length > 0 ? [...new Set(of)] : ['order', 'return'], isTop: true };
};

/**
 * Reads the names in a body.
 *
 * @param topic of the delivery: it names the subject of an id at the top of the body
 */
export const namesIn = (body: Buffer, topic: string): readonly Name[] => {
  const text = body.toString('utf8');
  const json = parseJson(text);
  const { add, chosen } = collector();
  if (json === undefined) {
    add(addressesIn(text));
    return chosen();
  }
  // A list instead of recursion: the depth of a body has no limit but its size.
  const left: { readonly field: string; readonly value: unknown; readonly within: SubjectContext }[] = [
    { field: '', value: json, within: topContextOf(topic) },
  ];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { field, value, within } = next;
    if (typeof value === 'string' || typeof value === 'number') add(namesOfField(field, value, within));
    else if (Array.isArray(value)) for (const item of value) left.push({ field, value: item as unknown, within });
    else if (isObject(value)) {
      const context = declaredIn(value) ?? contextOf(field, within);
      for (const [name, inner] of Object.entries(value)) left.push({ field: name, value: inner, within: context });
    }
  }
  return chosen();
};
