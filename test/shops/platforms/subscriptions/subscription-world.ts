import { startContainer } from '../../../../lib/runtime/container.ts';
import { startShopServer, type ShopReply, type ShopRequest } from '../../../../lib/tools/local/shops/shop-server.ts';
import { startPlatformSecret } from '../platform-secret.ts';

/** What happens to the next request that changes the shop. */
export type WriteFault = 'answer_lost' | 'throttled';

/** A shop with hooks, as the tests of all platforms see it. */
export type SubscriptionWorld = {
  readonly source: string;
  /** Our address at the platform, and that of a former deployment. */
  readonly address: string;
  readonly formerAddress: string;
  readonly failWrite: (fault: WriteFault) => void;
  /** Lets the shop deny all requests of the credentials from now on. */
  readonly deny: () => void;
  /** The number of requests until now that change the shop. */
  readonly writes: () => number;
  /** The addresses of the hooks at the shop. */
  readonly addresses: () => readonly string[];
  readonly moveAll: (address: string) => void;
  /** Stops all hooks as the shop does after failures. Absent where a shop removes them. */
  readonly disableAll?: () => void;
  readonly removeAll: () => void;
  readonly close: () => Promise<void>;
};

let opened: Awaited<ReturnType<typeof startPlatformSecret>> | undefined;

/** Starts the secrets of the worlds. A test with engines calls it after them, because they have secrets too. */
export const openSecret = async (): Promise<void> => void (opened = await startPlatformSecret());

/** Stores the entry of a source, which a new container reads. */
export const putEntry = (source: string, entry: object): void => {
  if (opened === undefined) throw new Error('call openSecret first');
  opened.put({ [source]: entry });
  startContainer();
};

/** Closes what the worlds share. */
export const closeSecret = async (): Promise<void> => opened?.close();

/** Starts the server of a shop with faults of the wire. */
export const startHookServer = async (
  answer: (request: ShopRequest) => ShopReply,
  isRead: (request: ShopRequest) => boolean = () => false,
) => {
  let isDenied = false;
  const server = await startShopServer({
    port: 0,
    answer: (request) => (isDenied ? { status: 403, body: '{}' } : answer(request)),
    isRead,
  });
  return {
    url: server.url,
    failWrite: (fault: WriteFault) =>
      server.faults.push(fault === 'throttled' ? { status: 429, carriedOut: false } : fault),
    deny: () => void (isDenied = true),
    writes: () => server.requests.filter((request) => request.method !== 'GET' && !isRead(request)).length,
    close: server.close,
  };
};
