import { Pool } from 'undici';
import { startServer, type Received, type TestServer } from '../http-server.ts';

export type Plain = { readonly status: number; readonly headers: Record<string, string>; readonly body: string };

/** What becomes of an answer on its way. */
export type Bend = (answer: Plain, request: Received) => Plain;

/** Headers of the connection alone (RFC 9110, 7.6.1), and what is counted anew. */
const own: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'date',
  'keep-alive',
]);

const passed = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [[name, String(value)]])),
  );

/** A server before another one, whose answers it bends. */
export const startBent = async (origin: string, bend: Bend): Promise<TestServer> => {
  const pool = new Pool(origin);
  const server = await startServer(async (received) => {
    const { method, path, headers, body } = received;
    const answer = await pool.request({ path, method, headers: passed(headers), ...(body === '' ? {} : { body }) });
    const { statusCode: status, headers: answered } = answer;
    return bend({ status, headers: passed(answered), body: await answer.body.text() }, received);
  });
  return {
    ...server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await pool.close();
    },
  };
};
