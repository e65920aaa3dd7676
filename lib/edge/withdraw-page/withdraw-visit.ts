import type { Scope } from '../../contract/operation.ts';
import type { Backend, Call } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { parseObject } from '../../runtime/json.ts';
import { pageHeaders, type PageContext } from './layout.ts';
import type { HttpResponse } from '../http/event.ts';

/** Seals texts for one purpose, and opens them for the same purpose only. Browsers can neither read nor change them. */
type Sealer = {
  readonly seal: (text: string, purpose: readonly string[]) => Promise<Result<string>>;
  /** Gives undefined for a text that this deployment did not seal for the purpose. */
  readonly openSealed: (sealed: string, purpose: readonly string[]) => Promise<Result<string | undefined>>;
};

/** What the page needs of the deployment. */
export type WithdrawPagePorts = Pick<Backend, 'declareWithdrawal' | 'getWithdrawalReceipt'> & Sealer;

/** One request of the page. */
export type Visit = {
  readonly ports: WithdrawPagePorts;
  readonly page: PageContext;
  readonly timeZone: string;
  readonly traceId: string;
  readonly call: (scope: Scope) => Call;
};

export const pageResponse = (page: PageContext, statusCode: number, body: string): HttpResponse => ({
  statusCode,
  headers: pageHeaders(page),
  body,
});

/** Seals a value with the present time. */
export const sealNow = async (
  { ports }: Pick<Visit, 'ports'>,
  value: string,
  purpose: readonly string[],
): Promise<Result<string>> => ports.seal(JSON.stringify({ value, at: Date.now() }), purpose);

/** A value that this page sealed, and whether it still counts. */
type Opened = { readonly value: string; readonly isRecent: boolean };

/**
 * Opens a value that this page sealed; undefined for another text.
 *
 * @param validMs the time for which the value counts
 */
export const openRecent = async (
  { ports }: Pick<Visit, 'ports'>,
  sealed: string,
  purpose: readonly string[],
  validMs: number,
): Promise<Result<Opened | undefined>> => {
  const opened = await ports.openSealed(sealed, purpose);
  if (!opened.ok) return opened;
  const { value, at } = parseObject(opened.value ?? '') ?? {};
  if (typeof value !== 'string' || typeof at !== 'number') return { ok: true, value: undefined };
  // The clocks of containers differ, so the time may lie ahead.
  return { ok: true, value: { value, isRecent: Math.abs(Date.now() - at) < validMs } };
};
