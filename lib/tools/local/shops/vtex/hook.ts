import type { ShopReply, ShopRequest } from '../shop-server.ts';

/*
 * The order hook of a VTEX account: one for each app key. A configuration replaces the one before.
 * https://developers.vtex.com/docs/api-reference/orders-api#post-/api/orders/hook/config
 */

/** The configuration of a hook. */
export type HookConfig = {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly hook: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
};

export type HookOptions = { readonly appKey: string; readonly appToken: string };

const json = (status: number, value: unknown): ShopReply => ({ status, body: JSON.stringify(value) });

const isFilter = ({ type, expression, status }: HookConfig['filter']): boolean =>
  type === 'FromOrders' ? typeof expression === 'string' : Array.isArray(status);

/** Opens the configuration of the hook in an account. */
export const openHook = ({ appKey, appToken }: HookOptions) => {
  let config: HookConfig | undefined;
  return {
    config: () => config,
    set: (next: HookConfig | undefined): void => void (config = next),
    /** Answers a request; undefined for another path. */
    answer: ({ method, path, headers, body }: ShopRequest): ShopReply | undefined => {
      if (path !== '/api/orders/hook/config') return undefined;
      if (headers['x-vtex-api-appkey'] !== appKey || headers['x-vtex-api-apptoken'] !== appToken) return json(401, {});
      if (method === 'GET') return config === undefined ? json(404, { message: 'Value not found' }) : json(200, config);
      const next = JSON.parse(body) as HookConfig;
      // VTEX accepts no address without TLS.
      if (!next.hook.url.startsWith('https://')) return json(400, { message: 'Only https scheme is accepted' });
      if (!isFilter(next.filter)) return json(400, { message: 'The filter is invalid' });
      config = next;
      return { status: 200, body: '' };
    },
  };
};
