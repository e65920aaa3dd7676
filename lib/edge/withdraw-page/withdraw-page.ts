import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Failure } from '../../contract/result.ts';
import { withdrawPageConfig } from '../../runtime/configuration/edge-config.ts';
import { configured } from '../../runtime/container.ts';
import { log } from '../../runtime/log.ts';
import { monotonicNow } from '../../runtime/instant.ts';
import { consumerZone } from './consumer-zone.ts';
import { declarationOf, emptyEntries, type Entries, entryErrorsAt, entryErrorsOf, parseForm } from './form.ts';
import { pageLanguage, type PageContext } from './layout.ts';
import { failedPage, unreadablePage } from './notes.ts';
import { formPage, reviewPage, unavailablePage } from './pages.ts';
import { type HttpResponse, networkOf, traceIdOf } from '../http/event.ts';
import { logRequest, logUnexpectedError } from '../http/request-log.ts';
import { downloadReceipt, redirectToReceipt, showReceipt } from './withdraw-receipt.ts';
import { openRecent, pageResponse, sealNow, type Visit, type WithdrawPagePorts } from './withdraw-visit.ts';

const config = configured(withdrawPageConfig);

const name = 'withdraw';

/** A check of the texts counts for a day. */
const checkMs = 86_400_000;
/** Time of the function's timeout that stays for the page after the last call. */
const reserveMs = 500;

/** The key of a check belongs to its texts and language. Other texts need another check, and have another key. */
const checkPurpose = ({ page }: Visit, entries: Entries): readonly string[] => [
  'withdrawal check',
  page.language,
  entries.name,
  entries.contract,
  entries.email,
  entries.lines,
];

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
  const errors = entryErrorsOf(entries);
  if (Object.keys(errors).length > 0) return pageResponse(visit.page, 422, formPage(visit.page, entries, errors));
  const key = await sealNow(visit, randomUUID(), checkPurpose(visit, entries));
  if (!key.ok) return unavailable(visit, entries, undefined, key.failure);
  return pageResponse(visit.page, isRepeated ? 422 : 200, reviewPage(visit.page, entries, key.value, isRepeated));
};

/**
 * Declares the withdrawal. It reads no order, and neither does `declareWithdrawal`: the page shows nothing about orders.
 * A repeat has the same key, so it gets the first receipt.
 */
const confirm = async (visit: Visit, entries: Entries, key: string): Promise<HttpResponse> => {
  const { page, timeZone, ports } = visit;
  const errors = entryErrorsOf(entries);
  if (Object.keys(errors).length > 0) return pageResponse(page, 422, formPage(page, entries, errors));
  const checked = await openRecent(visit, key, checkPurpose(visit, entries), checkMs);
  if (!checked.ok) return unavailable(visit, entries, key, checked.failure);
  if (checked.value?.isRecent !== true) return review(visit, entries, true);
  const declared = await ports.declareWithdrawal(
    { ...declarationOf(entries), language: page.language, timeZone },
    { ...visit.call('returns:write'), idempotencyKey: checked.value.value },
  );
  // An equal declaration, made before, has the status 200.
  if (declared.ok)
    return redirectToReceipt(visit, entries, key, { ...declared.value.body, isKnown: declared.value.status === 200 });
  // The deployment has changed since the check, for example its time zone: this key can never succeed.
  if (declared.failure.code === 'idempotency_key_reused') return review(visit, entries, true);
  const rejected = entryErrorsAt((declared.failure.errors ?? []).map(({ path }) => path));
  if (Object.keys(rejected).length > 0) return pageResponse(page, 422, formPage(page, entries, rejected));
  return unavailable(visit, entries, key, declared.failure);
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
      return downloadReceipt(visit, submission);
  }
};

const visitOf = (
  ports: WithdrawPagePorts,
  event: APIGatewayProxyEventV2,
  language: PageContext['language'],
  traceId: string,
  end: number,
): Visit => {
  const { timeZone, ...settings } = config();
  return {
    ports,
    page: { language, ...settings },
    timeZone: consumerZone(event.headers['accept-language'], timeZone),
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
 * A page of another site may post the form: without a key that this page sealed for the same texts, it only gets the
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
    const reference = event.queryStringParameters?.['receipt'];
    const answer = async (): Promise<HttpResponse> => {
      if (event.requestContext.http.method === 'POST') return post(visit, event);
      if (reference !== undefined) return showReceipt(visit, reference);
      return pageResponse(visit.page, 200, formPage(visit.page, emptyEntries));
    };
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
