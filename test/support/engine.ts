import type { Received } from './http-server.ts';

/** Forwards a request to an engine, with another body where one is given. */
export const forward = async (
  { path, headers, body }: Pick<Received, 'path' | 'headers' | 'body'>,
  engine: string,
  changed = body,
): Promise<{ status: number; body: Buffer }> => {
  const forwarded = Object.entries(headers).filter(([name]) => /^(authorization|content-type|x-amz-.*)$/.test(name));
  const response = await fetch(`${engine}${path}`, {
    method: 'POST',
    headers: forwarded.map(([name, value]): [string, string] => [name, String(value)]),
    body: changed,
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
};

/** Returns whether a request to the engine is for this operation. */
export const isFor = ({ headers }: Received, operation: string): boolean =>
  String(headers['x-amz-target']).endsWith(`.${operation}`);
