import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/*
 * A page of any site can send requests to this machine, some of them without a preflight. Only browsers send an origin.
 * Servers that check no credentials reject each request that has one.
 */

export const isFromPage = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => headers.origin !== undefined;

const type = 'AccessDeniedException';
const message = 'The local stack takes no request from a web page: send it from a program, without the header Origin.';

/** Answers a request of a page, in the error format of AWS. */
export const rejectPage = (response: ServerResponse): void => {
  response
    .writeHead(403, { 'content-type': 'application/json', 'x-amzn-errortype': type })
    .end(JSON.stringify({ __type: type, message }));
};

/** Returns a listener that rejects requests of pages, and breaks the connection of a request that fails. */
export const forPrograms =
  (serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>): RequestListener =>
  (request, response) => {
    if (isFromPage(request)) rejectPage(response);
    else serve(request, response).catch(() => response.destroy());
  };
