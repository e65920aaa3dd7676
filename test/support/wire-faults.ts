import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Answer } from './http-server.ts';

const head = (lines: readonly string[], status = '200 OK') =>
  [`HTTP/1.1 ${status}`, 'content-type: application/json', ...lines, '', ''].join('\r\n');

/** Writes these bytes and ends the connection. */
const saying = (text: string | Buffer): Answer => ({ raw: (socket) => void socket.end(text) });

/** Returns responses that violate HTTP, or end incorrectly. `body` is the body of a valid response. */
export const brokenAnswers = (body: string): Readonly<Record<string, Answer>> => ({
  'a reset before the headers': 'reset',
  'a connection that ends before the headers': saying(''),
  'a connection that ends amid the headers': saying('HTTP/1.1 200 OK\r\ncontent-ty'),
  'a reset amid the body': {
    raw: (socket) => void socket.write(head(['content-length: 9999']) + body, () => socket.resetAndDestroy()),
  },
  'a body shorter than its Content-Length': saying(head(['content-length: 9999']) + body),
  'a chunked body that is cut short': saying(`${head(['transfer-encoding: chunked'])}5\r\n{"acc`),
  'a status line that is none': saying(`HTP/1.1 two hundred\r\n\r\n${body}`),
  'a chunk size that is none': saying(`${head(['transfer-encoding: chunked'])}zz\r\n${body}\r\n0\r\n\r\n`),
  'two Content-Lengths that differ': saying(head(['content-length: 5', 'content-length: 6']) + body),
  // Both are allowed (RFC 9110, 5.5 and 15.2.1), and rejected by undici.
  'white space after Content-Length': saying(`${head([`content-length: ${Buffer.byteLength(body)} `])}${body}`),
  'a 100 Continue without Expect': saying(
    `HTTP/1.1 100 Continue\r\n\r\n${head([`content-length: ${Buffer.byteLength(body)}`])}${body}`,
  ),
  'headers of 100 KB': saying(head([`x-long: ${'x'.repeat(100_000)}`]) + body),
});

/** Returns a response in HTTP/1.0, whose body ends with the connection. */
export const oldFashioned = (body: string): Answer =>
  saying(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${body}`);

/** Returns a compressed response to a request that does not accept it. */
export const compressed = (body: string): Answer => ({
  status: 200,
  headers: { 'content-encoding': 'gzip' },
  body: gzipSync(body),
});

const piece = Buffer.alloc(64 * 1024, ' ');

/** Writes as fast as the peer reads. */
const pour = (socket: Socket, pieces: number, frame: (bytes: Buffer) => Buffer) => {
  let left = pieces;
  const framed = frame(piece);
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(framed)) return void socket.once('drain', more);
    }
    socket.end();
  };
  more();
};

const asChunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

const pieces = (150 * 1024 * 1024) / piece.length;

/** Responses of 150 MB. */
export const floods: Readonly<Record<string, Answer>> = {
  '150 MB with a Content-Length': {
    raw: (socket) => {
      socket.write(head([`content-length: ${pieces * piece.length}`]));
      pour(socket, pieces, (bytes) => bytes);
    },
  },
  '150 MB in chunks': {
    raw: (socket) => {
      socket.write(head(['transfer-encoding: chunked']));
      pour(socket, pieces, asChunk);
    },
  },
};

/** Returns redirects within the server and to another one. */
export const redirects = (origin: string) =>
  [301, 302, 303, 307, 308].flatMap((status) =>
    ['/connect/token', `${origin}/connect/token`].map((location) => ({ status, headers: { location } })),
  );
