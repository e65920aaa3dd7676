import { Pool } from 'undici';
import { startServer, type Received, type TestServer } from '../http-server.ts';

export type Plain = { readonly status: number; readonly headers: Record<string, string>; readonly body: string };

/** Changes a response in transit. */
export type Bend = (answer: Plain, request: Received) => Plain;

/** Headers of the connection only (RFC 9110, 7.6.1), and those that this server computes again. */
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

/** Starts a server before another one, and changes its responses. */
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
