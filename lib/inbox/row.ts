import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Delivery } from '../platforms/platform.ts';
import type { InboxHead } from '../store/inbox/inbox-row.ts';
import { sha256 } from '../runtime/hash.ts';

const keptSeconds = 30 * 24 * 3600;

const compress = promisify(gzip);

/** What is to be stored. */
export type Arrived = Delivery & {
  readonly platform: string;
  /** The exact bytes. */
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly traceId: string;
};

/** The row of a delivery that has just come, or was just found, with its body in it. */
export const newRow = async ({ body, ...told }: Arrived): Promise<InboxHead & { readonly body: Buffer }> => ({
  ...told,
  body: await compress(body),
  bodyHash: sha256(body, 'hex'),
  receivedAt: new Date().toISOString(),
  status: 'received',
  attempts: 0,
  expiresAt: Math.floor(Date.now() / 1000) + keptSeconds,
});
