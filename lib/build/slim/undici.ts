import type { Dispatcher } from 'undici';
import exchange from 'undici/lib/api/api-request.js';
import { parseURL } from 'undici/lib/core/util.js';
import Agent from 'undici/lib/dispatcher/agent.js';

/*
 * Stands in for undici, of which every part hangs on its index. These are its private paths: the version is pinned, and
 * test/build/slim-packages.test.ts names the one that they were tried with.
 */

export { Agent };

type Options = { readonly dispatcher: Dispatcher } & Omit<Dispatcher.RequestOptions, 'origin' | 'path'>;

/** As undici's own, except that the dispatcher must be given: there is no global one. */
export const request = (address: string, { dispatcher, ...options }: Options): Promise<Dispatcher.ResponseData> => {
  const { origin, pathname, search } = parseURL(address);
  return exchange.call(dispatcher, { ...options, origin, path: `${pathname}${search}` });
};
