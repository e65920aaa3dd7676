import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../ports.ts';
import { openFaults } from './faults.ts';
import { openLateRequests } from './late-requests.ts';

/** A request for a shop's API. */
export type ShopRequest = {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type ShopReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

export type ShopServerOptions = {
  /** 0 selects any free port. */
  readonly port: number;
  /** @default the clock of this machine */
  readonly clock?: () => number;
  /** Carries a request out, and answers it. */
  readonly answer: (request: ShopRequest) => ShopReply;
  /** Whether a request that is no GET changes nothing. */
  readonly isRead?: (request: ShopRequest) => boolean;
  /**
   * The milliseconds after which a request with the fault `late` is carried out.
   * @default 20_000
   */
  readonly lateMs?: number;
};

/** Serves the API of a shop, with faults of the wire. */
export const startShopServer = async (options: ShopServerOptions) => {
  const { port, clock = () => Date.now(), answer, lateMs = 20_000, isRead = () => false } = options;
  const faults = openFaults();
  const requests: ShopRequest[] = [];
  const late = openLateRequests();

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(incoming);
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, body };
    requests.push(request);
    await late.carryOut(clock());
    const write = ({ status, headers: sent, body: content }: ShopReply): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...sent }).end(content);
    const fault = method === 'GET' || isRead(request) ? undefined : faults.take();
    if (fault === undefined) return write(answer(request));
    if (fault === 'late') late.add(clock() + lateMs, () => answer(request));
    const isCarriedOut = typeof fault === 'object' ? fault.carriedOut : fault === 'answer_lost' || fault === 'silent';
    if (isCarriedOut) answer(request);
    if (typeof fault === 'object')
      return write({ status: fault.status, headers: { 'retry-after': '0' }, body: '{"code":"injected"}' });
    if (fault !== 'silent') response.socket?.resetAndDestroy();
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  return {
    url: await listen(server, port),
    faults,
    /** The requests until now. */
    requests: requests as readonly ShopRequest[],
    /** Carries out all late requests now. */
    carryOutLate: (): void => void late.carryOut(Number.POSITIVE_INFINITY),
    close: async (): Promise<void> => closeServer(server),
  };
};
