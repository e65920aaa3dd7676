import { log } from '../../runtime/log.ts';
import type { Entries, Submission } from './form.ts';
import { addressIn, pageHeaders } from './layout.ts';
import { expiredPage, failedDownloadPage, failedReceiptPage, unknownReceiptPage } from './notes.ts';
import { receiptPage, storedPage } from './pages.ts';
import { receiptContent, shownInstant, shownTime } from './receipt-content.ts';
import type { HttpResponse } from '../http/event.ts';
import { openRecent, pageResponse, sealNow, type Visit } from './withdraw-visit.ts';

/*
 * The receipt of a stored declaration. The confirmation redirects to an address with a sealed reference, so a reload
 * declares nothing, and Back shows the receipt again. Browsers and logs keep addresses: the reference has no readable
 * id or text, and counts for 15 minutes. References for downloads are in a form, and count for a day.
 */

const address = { purpose: ['withdrawal receipt address'], validMs: 900_000 } as const;
const download = { purpose: ['withdrawal receipt download'], validMs: 86_400_000 } as const;

type Declared = {
  readonly withdrawalId: string;
  readonly declaredAt: string;
  /** Whether the consumer had made an equal declaration before. */
  readonly isKnown?: boolean;
};

const referenceTo = ({ withdrawalId, declaredAt, isKnown = false }: Declared): string =>
  `${withdrawalId} ${declaredAt}${isKnown ? ' known' : ''}`;

const referredBy = (text: string): Declared => {
  const [withdrawalId = '', declaredAt = '', known] = text.split(' ');
  return { withdrawalId, declaredAt, isKnown: known !== undefined };
};

const shownDeclared = ({ timeZone, page }: Visit, { withdrawalId, declaredAt }: Declared): Declared => ({
  withdrawalId,
  declaredAt: shownInstant(declaredAt, timeZone, page.language),
});

/**
 * Answers a confirmation by a redirect to the address of its receipt. Without a reference the page says that the
 * declaration is stored.
 */
export const redirectToReceipt = async (
  visit: Visit,
  entries: Entries,
  key: string,
  declared: Declared,
): Promise<HttpResponse> => {
  const { page, traceId } = visit;
  const reference = await sealNow(visit, referenceTo(declared), address.purpose);
  if (!reference.ok) {
    const { withdrawalId } = declared;
    log('warn', 'receipt not shown', { withdrawalId, code: reference.failure.code, traceId });
    return pageResponse(page, 200, storedPage(page, shownDeclared(visit, declared), { entries, key }));
  }
  const location = addressIn(page.language, reference.value);
  return { statusCode: 303, headers: { ...pageHeaders(page), location }, body: '' };
};

/** Shows the receipt of a reference. A receipt that cannot be read now does not make the declaration invalid. */
export const showReceipt = async (visit: Visit, reference: string): Promise<HttpResponse> => {
  const { page, traceId, ports } = visit;
  const opened = await openRecent(visit, reference, address.purpose, address.validMs);
  if (!opened.ok) return pageResponse(page, 503, failedReceiptPage(page, reference));
  if (opened.value === undefined) return pageResponse(page, 404, unknownReceiptPage(page));
  if (!opened.value.isRecent) return pageResponse(page, 410, expiredPage(page));
  const declared = referredBy(opened.value.value);
  const { withdrawalId } = declared;
  const [read, forDownload] = await Promise.all([
    ports.getWithdrawalReceipt({ withdrawalId }, visit.call('returns:read')),
    sealNow(visit, referenceTo(declared), download.purpose),
  ]);
  if (!read.ok && read.failure.code === 'receipt_erased') return pageResponse(page, 410, expiredPage(page));
  const content = read.ok ? receiptContent(read.value.body.payload) : undefined;
  if (!read.ok || !forDownload.ok || content === undefined) {
    const failed = read.ok ? forDownload : read;
    log('warn', 'receipt not shown', { withdrawalId, code: failed.ok ? 'malformed' : failed.failure.code, traceId });
    return pageResponse(page, 200, storedPage(page, shownDeclared(visit, declared), { reference }));
  }
  const shown = {
    withdrawalId,
    isKnown: declared.isKnown === true,
    declaredAt: shownTime(content, page.language),
    content: content.texts,
    sha256: read.value.body.sha256,
    reference,
    download: forDownload.value,
  };
  return pageResponse(page, 200, receiptPage(page, shown));
};

/** Sends the receipt as a file. */
export const downloadReceipt = async (
  visit: Visit,
  { receipt, format }: Extract<Submission, { step: 'download' }>,
): Promise<HttpResponse> => {
  const { page, ports } = visit;
  const opened = await openRecent(visit, receipt, download.purpose, download.validMs);
  if (!opened.ok) return pageResponse(page, 503, failedDownloadPage(page));
  if (opened.value === undefined) return pageResponse(page, 404, unknownReceiptPage(page));
  if (!opened.value.isRecent) return pageResponse(page, 410, expiredPage(page));
  const { withdrawalId } = referredBy(opened.value.value);
  const read = await ports.getWithdrawalReceipt({ withdrawalId }, visit.call('returns:read'));
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
      'content-disposition': `attachment; filename="${withdrawalId}.${file.name}"`,
    },
    body: file.body,
  };
};
