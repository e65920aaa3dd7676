import type { ShopReply, ShopRequest } from '../shop-server.ts';

/** A row of the REST API. */
export type Row = Record<string, unknown>;

const json = (value: unknown, status = 200): ShopReply => ({ status, body: JSON.stringify(value) });
const missing = json({ message: 'No such entity with %fieldName = %fieldValue' }, 404);

const compare = (a: unknown, b: string): number =>
  typeof a === 'number' ? a - Number(b) : String(a).localeCompare(b, 'en');

/**
 * Returns the result of a search in rows, for the filters that we use.
 * https://developer.adobe.com/commerce/webapi/rest/use-rest/performing-searches/
 */
const searchRows = (rows: readonly Row[], query: URLSearchParams): Row => {
  const at = (name: string) => query.get(`searchCriteria${name}`) ?? '';
  let found = [...rows];
  for (let group = 0; at(`[filter_groups][${group}][filters][0][field]`) !== ''; group += 1) {
    const filter = (name: string) => at(`[filter_groups][${group}][filters][0][${name}]`);
    const fits: Readonly<Record<string, (order: number) => boolean>> = {
      eq: (order) => order === 0,
      gt: (order) => order > 0,
      gteq: (order) => order >= 0,
    };
    found = found.filter((row) => fits[filter('condition_type')]?.(compare(row[filter('field')], filter('value'))));
  }
  for (let index = 4; index >= 0; index -= 1) {
    const field = at(`[sortOrders][${index}][field]`);
    if (field !== '') found.sort((a, b) => compare(a[field], String(b[field])));
  }
  const [size, page] = [Number(at('[pageSize]')), Number(at('[currentPage]'))];
  return { items: found.slice((page - 1) * size, page * size), total_count: found.length };
};

/** The options of the attributes of return items: those of a new installation, and some of a merchant. */
const options: Readonly<Record<string, readonly Row[]>> = {
  reason: [
    { value: '', label: ' ' },
    { value: '4', label: 'Wrong Color' },
    { value: '5', label: 'Wrong Size' },
    { value: '6', label: 'Out of Service' },
    { value: '7', label: 'Ugly in daylight' },
  ],
  condition: [{ value: '8', label: 'Unopened' }],
  resolution: [
    { value: '11', label: 'Store Credit' },
    { value: '12', label: 'Lottery ticket' },
  ],
};

/** The rows of a shop, by collection. Tests and staff change them. */
export type CommerceRows = Record<'returns' | 'orders' | 'creditmemos' | 'shipments' | 'tracks', Row[]>;

type CommerceOptions = { readonly accessToken: string; readonly rows: CommerceRows };

const nodesIn = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as Row[]) : []);

const find = (list: readonly Row[], id: string): Row | undefined =>
  list.find(({ entity_id: entityId }) => String(entityId) === id);

/**
 * Stores an RMA as Commerce does: the fields as they are sent, each item by its id, and new comments and tracks. It has
 * no version, and computes no status.
 */
const replaceRma = (rma: Row, sent: Row): Row => {
  const items = nodesIn(sent['items']);
  const added = (field: 'comments' | 'tracks') => [...nodesIn(rma[field]), ...nodesIn(sent[field])];
  return {
    ...rma,
    ...sent,
    items: nodesIn(rma['items']).map((item) => ({ ...item, ...find(items, String(item['entity_id'])) })),
    comments: added('comments'),
    tracks: added('tracks'),
  };
};

/** Opens the used part of the REST API of a Commerce shop over its rows. */
export const openCommerce = ({ accessToken, rows }: CommerceOptions) => {
  const write = (id: string, body: string): ShopReply => {
    const sent = (JSON.parse(body) as { rmaDataObject?: Row }).rmaDataObject;
    const before = find(rows.returns, id);
    if (sent === undefined) return json({ message: '"%fieldName" is required. Enter and try again.' }, 400);
    if (before === undefined) return json({ message: 'Could not save the RMA entity.' }, 400);
    const after = replaceRma(before, sent);
    rows.returns = rows.returns.map((rma) => (rma === before ? after : rma));
    return json(sent);
  };

  const read = (path: string, query: URLSearchParams): ShopReply => {
    const [collection = '', id = '', part] = path.split('/');
    if (part === 'tracking-numbers') return json({ items: rows.tracks });
    if (collection === 'returnsAttributeMetadata') return json({ attribute_code: id, options: options[id] ?? [] });
    if (id === '') return json(searchRows({ ...rows, tracks: [] }[collection] ?? [], query));
    const row = find(collection === 'creditmemo' ? rows.creditmemos : ({ ...rows }[collection] ?? []), id);
    return row === undefined ? missing : json(row);
  };

  return {
    answer: ({ method, path: target, headers, body }: Pick<ShopRequest, 'method' | 'path' | 'headers' | 'body'>) => {
      const { pathname, searchParams } = new URL(target, 'http://shop.invalid');
      const [, path] = /^\/rest\/all\/V1\/(.+)$/.exec(pathname) ?? [];
      if (path === undefined) return missing;
      if (headers.authorization !== `Bearer ${accessToken}`) return json({}, 401);
      return method === 'PUT' ? write(path.replace('returns/', ''), body) : read(path, searchParams);
    },
  };
};
