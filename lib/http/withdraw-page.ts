import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Backend, Call } from '../contract/port.ts';
import type { Scope } from '../contract/operation.ts';
import type { Failure, Result } from '../contract/result.ts';
import { withdrawPageConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { parseObject } from '../runtime/json.ts';
import { log } from '../runtime/log.ts';
import { monotonicNow } from '../runtime/instant.ts';
import {
  declarationOf,
  emptyEntries,
  type Entries,
  faultsAt,
  faultsOf,
  parseForm,
  type Submission,
} from '../withdrawals/page/form.ts';
import { pageLanguage, pageHeaders, type PageContext } from '../withdrawals/page/layout.ts';
import {
  expiredPage,
  failedDownloadPage,
  failedPage,
  formPage,
  receiptPage,
  reviewPage,
  storedPage,
  unavailablePage,
  unreadablePage,
} from '../withdrawals/page/pages.ts';
import { receiptContent, shownInstant, shownTime } from '../withdrawals/page/receipt-content.ts';
import { type HttpResponse, networkOf, traceIdOf } from './event.ts';
import { logRequest, logUnexpectedError } from './request-log.ts';

/** Signs texts for one purpose, and opens them for the same purpose only. */
type Signer = {
  readonly sign: (text: string, purpose: readonly string[]) => Promise<Result<string>>;
  /** Gives undefined for a text that this deployment did not sign for the purpose. */
  readonly open: (signed: string, purpose: readonly string[]) => Promise<Result<string | undefined>>;
};

/** What the page needs of the deployment. */
export type WithdrawPagePorts = Pick<Backend, 'declareWithdrawal' | 'getWithdrawalReceipt'> & Signer;

const config = configured(withdrawPageConfig);

const name = 'withdraw';

/** A check of the texts counts for a day, and so does a reference to a receipt. */
const validMs = 86_400_000;
/** Time of the function's timeout that stays for the page after the last call. */
const reserveMs = 500;

/** One request of the page. */
type Visit = {
  readonly ports: WithdrawPagePorts;
  readonly page: PageContext;
  readonly timeZone: string;
  readonly traceId: string;
  readonly call: (scope: Scope) => Call;
};

const pageResponse = (page: PageContext, statusCode: number, body: string): HttpResponse => ({
  statusCode,
  headers: pageHeaders(page),
  body,
});

/** Signs a value with the present time. */
const signNow = async ({ ports }: Visit, value: string, purpose: readonly string[]): Promise<Result<string>> =>
  ports.sign(JSON.stringify({ value, at: Date.now() }), purpose);

/** Opens a value that this page signed within a day; undefined for another one. */
const openRecent = async (
  { ports }: Visit,
  signed: string,
  purpose: readonly string[],
): Promise<Result<string | undefined>> => {
  const opened = await ports.open(signed, purpose);
  if (!opened.ok || opened.value === undefined) return opened;
  const { value, at } = parseObject(opened.value) ?? {};
  const isRecent = typeof at === 'number' && Math.abs(Date.now() - at) < validMs;
  return { ok: true, value: isRecent && typeof value === 'string' ? value : undefined };
};

/** The key of a check belongs to its texts and language. Other texts need another check, and have another key. */
const checkPurpose = ({ page }: Visit, entries: Entries): readonly string[] => [
  'withdrawal check',
  page.language,
  entries.name,
  entries.contract,
  entries.email,
  entries.lines,
];
const receiptPurpose = ['withdrawal receipt'] as const;

/** The failure of a dependency: the texts stay on the page. `Retry-After` is for scripts; browsers ignore it. */
const unavailable = (visit: Visit, entries: Entries, key: string | undefined, failure: Failure): HttpResponse => {
  const response = pageResponse(visit.page, 503, unavailablePage(visit.page, entries, key));
  const { code, retryAfterSeconds } = failure;
  log('warn', 'withdrawal not declared', { code, traceId: visit.traceId });
  if (retryAfterSeconds === undefined) return response;
  return { ...response, headers: { ...response.headers, 'retry-after': String(retryAfterSeconds) } };
};

/** Shows the texts for a check. The key of the check is the idempotency key of the declaration. */
const review = async (visit: Visit, entries: Entries, isRepeated = false): Promise<HttpResponse> => {
  const faults = faultsOf(entries);
  if (Object.keys(faults).length > 0) return pageResponse(visit.page, 422, formPage(visit.page, entries, faults));
  const key = await signNow(visit, randomUUID(), checkPurpose(visit, entries));
  if (!key.ok) return unavailable(visit, entries, undefined, key.failure);
  return pageResponse(visit.page, isRepeated ? 422 : 200, reviewPage(visit.page, entries, key.value, isRepeated));
};

type Declared = { readonly withdrawalId: string; readonly declaredAt: string };

/** Shows the receipt of a stored declaration. A receipt that cannot be read now does not make the declaration invalid. */
const showReceipt = async (
  visit: Visit,
  entries: Entries,
  key: string,
  { withdrawalId, declaredAt }: Declared,
): Promise<HttpResponse> => {
  const { page, timeZone, traceId, ports } = visit;
  const [read, reference] = await Promise.all([
    ports.getWithdrawalReceipt({ withdrawalId }, visit.call('returns:read')),
    signNow(visit, withdrawalId, receiptPurpose),
  ]);
  const content = read.ok ? receiptContent(read.value.body.payload) : undefined;
  if (!read.ok || !reference.ok || content === undefined) {
    const failed = read.ok ? reference : read;
    log('warn', 'receipt not shown', { withdrawalId, code: failed.ok ? 'malformed' : failed.failure.code, traceId });
    const shown = { withdrawalId, declaredAt: shownInstant(declaredAt, timeZone, page.language) };
    return pageResponse(page, 200, storedPage(page, entries, key, shown));
  }
  const shown = {
    withdrawalId,
    declaredAt: shownTime(content, page.language),
    content: content.texts,
    sha256: read.value.body.sha256,
    reference: reference.value,
  };
  return pageResponse(page, 200, receiptPage(page, shown));
};

/**
 * Declares the withdrawal. It reads no order, and neither does `declareWithdrawal`: the page shows nothing about orders.
 * A repeat has the same key, so it gets the first receipt.
 */
const confirm = async (visit: Visit, entries: Entries, key: string): Promise<HttpResponse> => {
  const { page, timeZone, ports } = visit;
  const faults = faultsOf(entries);
  if (Object.keys(faults).length > 0) return pageResponse(page, 422, formPage(page, entries, faults));
  const checked = await openRecent(visit, key, checkPurpose(visit, entries));
  if (!checked.ok) return unavailable(visit, entries, key, checked.failure);
  if (checked.value === undefined) return review(visit, entries, true);
  const declared = await ports.declareWithdrawal(
    { ...declarationOf(entries), language: page.language, timeZone },
    { ...visit.call('returns:write'), idempotencyKey: checked.value },
  );
  if (declared.ok) return showReceipt(visit, entries, key, declared.value.body);
  // The deployment has changed since the check, for example its time zone: this key can never succeed.
  if (declared.failure.code === 'idempotency_key_reused') return review(visit, entries, true);
  const refused = faultsAt((declared.failure.errors ?? []).map(({ path }) => path));
  if (Object.keys(refused).length > 0) return pageResponse(page, 422, formPage(page, entries, refused));
  return unavailable(visit, entries, key, declared.failure);
};

/** Sends the receipt as a file. Its reference is in a form and not in an address, which browsers store. */
const download = async (
  visit: Visit,
  { receipt, format }: Extract<Submission, { step: 'download' }>,
): Promise<HttpResponse> => {
  const { page, ports } = visit;
  const withdrawalId = await openRecent(visit, receipt, receiptPurpose);
  if (!withdrawalId.ok) return pageResponse(page, 503, failedDownloadPage(page));
  if (withdrawalId.value === undefined) return pageResponse(page, 410, expiredPage(page));
  const read = await ports.getWithdrawalReceipt({ withdrawalId: withdrawalId.value }, visit.call('returns:read'));
  if (!read.ok) {
    const isErased = read.failure.code === 'receipt_erased';
    return pageResponse(page, isErased ? 410 : 503, isErased ? expiredPage(page) : failedDownloadPage(page));
  }
  const { jws, text } = read.value.body;
  const file =
    format === 'jws'
      ? { type: 'application/jose', name: 'jws', body: jws }
      : { type: 'text/plain; charset=utf-8', name: 'txt', body: text };
  return {
    statusCode: 200,
    headers: {
      ...pageHeaders(page),
      'content-type': file.type,
      'content-disposition': `attachment; filename="${withdrawalId.value}.${file.name}"`,
    },
    body: file.body,
  };
};

const bodyOf = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

const statuses = { media_type: 415, too_large: 413, malformed: 400, unknown_field: 400, repeated_field: 400 } as const;

/** Runs a step. After an unexpected error the page still has the texts. */
const keepingTexts = async (
  visit: Visit,
  entries: Entries,
  key: string | undefined,
  run: () => Promise<HttpResponse>,
): Promise<HttpResponse> =>
  run().catch((error: unknown) => {
    logUnexpectedError({ name }, visit.traceId, error);
    return pageResponse(visit.page, 500, unavailablePage(visit.page, entries, key));
  });

const post = async (visit: Visit, event: APIGatewayProxyEventV2): Promise<HttpResponse> => {
  const { page } = visit;
  const form = parseForm(bodyOf(event), event.headers['content-type']);
  if (!form.ok) return pageResponse(page, statuses[form.failure], unreadablePage(page, form.failure));
  const { submission } = form;
  switch (submission.step) {
    case 'edit':
      return pageResponse(page, 200, formPage(page, submission.entries));
    case 'review':
      return keepingTexts(visit, submission.entries, undefined, async () => review(visit, submission.entries));
    case 'confirm': {
      const { entries, key } = submission;
      return keepingTexts(visit, entries, key, async () => confirm(visit, entries, key));
    }
    case 'download':
      return download(visit, submission);
  }
};

const visitOf = (
  ports: WithdrawPagePorts,
  event: APIGatewayProxyEventV2,
  language: PageContext['language'],
  traceId: string,
  end: number,
): Visit => {
  const { shop, frameAncestors, timeZone } = config();
  return {
    ports,
    page: { language, shop, frameAncestors },
    timeZone,
    traceId,
    call: (scope) => ({
      caller: { clientId: `page:${name}`, scopes: [scope] },
      dryRun: false,
      traceId,
      causationId: event.requestContext.requestId,
      deadline: end,
    }),
  };
};

/**
 * Serves the page by which a consumer withdraws from a contract: a form, a check, and the receipt. It needs no script,
 * sets no cookie and stores nothing before the confirmation. Texts of the consumer are in no log.
 *
 * A page of another site may post the form: without a key that this page signed for the same texts, it only gets the
 * check. No cookie or login adds a right to such a request.
 */
export const serveWithdrawPage =
  (ports: WithdrawPagePorts) =>
  async (event: APIGatewayProxyEventV2, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<HttpResponse> => {
    const startedAt = monotonicNow();
    const traceId = traceIdOf(event.headers['traceparent']);
    const language = pageLanguage(event.queryStringParameters?.['lang'], event.headers['accept-language']);
    const end = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const visit = visitOf(ports, event, language, traceId, end);
    const answer = async (): Promise<HttpResponse> =>
      event.requestContext.http.method === 'POST'
        ? post(visit, event)
        : pageResponse(visit.page, 200, formPage(visit.page, emptyEntries));
    const response = await answer().catch((error: unknown) => {
      logUnexpectedError({ name }, traceId, error);
      return pageResponse(visit.page, 500, failedPage(visit.page));
    });
    const status = response.statusCode ?? 500;
    logRequest(
      { name },
      { clientId: undefined, network: networkOf(event), status, code: undefined, traceId, startedAt },
    );
    return response;
  };
