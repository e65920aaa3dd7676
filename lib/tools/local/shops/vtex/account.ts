import type { ShopReply, ShopRequest } from '../shop-server.ts';

/** A document of the Orders API or of the return app. */
export type Document = Record<string, unknown>;

const json = (value: unknown, status = 200): ShopReply => ({ status, body: JSON.stringify(value) });
const answerOf = (found: unknown): ShopReply => (found === undefined ? json({}, 404) : json(found));

const page = (list: readonly Document[], query: URLSearchParams, size: number, name: string): Document => {
  const current = Number(query.get(name) ?? '1');
  return {
    list: list.slice((current - 1) * size, current * size),
    paging: { total: list.length, perPage: size, currentPage: current, pages: Math.ceil(list.length / size) },
  };
};

/** The next statuses that the return app permits. */
const permitted: Readonly<Record<string, readonly string[]>> = {
  new: ['new', 'processing', 'denied', 'cancelled'],
  processing: ['processing', 'pickedUpFromClient', 'denied', 'cancelled'],
  pickedUpFromClient: ['pickedUpFromClient', 'pendingVerification', 'denied'],
  pendingVerification: ['pendingVerification', 'packageVerified'],
  packageVerified: ['packageVerified', 'amountRefunded'],
  amountRefunded: ['amountRefunded'],
  denied: ['denied'],
  cancelled: ['cancelled'],
};

type StatusUpdate = {
  readonly status?: string;
  readonly comment?: { readonly value: string; readonly visibleForCustomer?: boolean };
};

type Step = Document & { readonly status: string; readonly comments?: readonly Document[] };

/** What a caller may change in the lists of the account. */
export type Lists = { requests: readonly Document[]; orders: readonly Document[]; hasApp: boolean };

export type AccountOptions = { readonly appKey: string; readonly appToken: string; readonly clock?: () => number };

/** Opens the data of a VTEX account, and the used parts of its Orders API and of its return app. */
export const openAccount = ({ appKey, appToken, clock = Date.now }: AccountOptions) => {
  const orders = new Map<string, unknown>();
  const requests = new Map<string, unknown>();
  const lists: Lists = { requests: [], orders: [], hasApp: true };

  /** Adds a step of a status, or a comment to the one that it has. The mail of the app to the customer is left out. */
  const stepsWith = (
    steps: readonly Step[],
    status: string,
    { comment }: StatusUpdate,
    submittedBy: string,
  ): Step[] => {
    const createdAt = new Date(clock()).toISOString();
    const added =
      comment === undefined
        ? []
        : [{ comment: comment.value, visibleForCustomer: comment.visibleForCustomer === true, createdAt, submittedBy }];
    return steps.some((step) => step.status === status)
      ? steps.map((step) =>
          step.status === status ? { ...step, comments: [...(step.comments ?? []), ...added] } : step,
        )
      : [...steps, { status, submittedBy, createdAt, comments: added }];
  };

  const update = (id: string, change: StatusUpdate): ShopReply => {
    const request = requests.get(id) as (Document & { readonly refundStatusData: readonly Step[] }) | undefined;
    const { status = '' } = change;
    if (request === undefined) return json({ error: `Request ${id} not found` }, 404);
    if (!Object.hasOwn(permitted, status)) return json({ error: `Invalid status: ${status}` }, 400);
    const before = String(request['status']);
    // The app answers a transition that it does not permit as a failure of its own.
    if (permitted[before]?.includes(status) !== true)
      return json({ error: `Status transition from ${before} to ${status} is not allowed.` }, 500);
    if (status === before && change.comment === undefined) return json({ error: 'Missing comment.' }, 400);
    const steps = stepsWith(request.refundStatusData, status, change, appKey);
    const after = { ...request, status, refundStatusData: steps };
    requests.set(id, after);
    return json(after);
  };

  return {
    orders,
    requests,
    lists,
    /** Changes the status of a request, as staff does in the app. */
    update,
    answer: ({ method, path, headers, body }: Pick<ShopRequest, 'method' | 'path' | 'headers' | 'body'>): ShopReply => {
      if (headers['x-vtex-api-appkey'] !== appKey || headers['x-vtex-api-apptoken'] !== appToken) return json({}, 401);
      const { pathname, searchParams } = new URL(path, 'http://vtex.invalid');
      const id = decodeURIComponent(pathname.split('/').at(-1) ?? '');
      if (pathname === '/api/oms/pvt/orders') {
        const [from = ''] = /(?<=\[)\S+/.exec(searchParams.get('f_creationDate') ?? '') ?? [];
        const found = lists.orders.filter(({ creationDate }) => String(creationDate) >= from);
        return json(page(found, searchParams, 100, 'page'));
      }
      if (pathname.startsWith('/api/oms/pvt/orders/')) return answerOf(orders.get(id));
      if (!lists.hasApp || !pathname.startsWith('/_v/return-request')) return answerOf(undefined);
      if (pathname === '/_v/return-request') return json(page(lists.requests, searchParams, 25, '_page'));
      return method === 'PUT' ? update(id, JSON.parse(body) as StatusUpdate) : answerOf(requests.get(id));
    },
  };
};
