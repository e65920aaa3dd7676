import type { OrderRef } from '../../domain/returns/model/order.ts';
import { type DeliverySubject, eraseDeliveries } from '../../store/personal/erase-deliveries.ts';
import type { ErasedPage } from '../../store/personal/erased-page.ts';
import { erasePerson, eraseUserName, eraseWithdrawal } from '../../store/personal/erasure.ts';
import { eraseEvidence } from '../../store/personal/evidence.ts';
import type { Session } from '../../store/engine/session.ts';
import { readReturnIdsOfOrder, readSummariesById } from '../../store/returns/whole-returns.ts';
import type { ErasureCounts, ErasureRequest } from '../../store/jobs/job.ts';
import { digestsOfCustomer, digestsOfOrder } from './name-digests.ts';

/* Erases or counts what belongs to a person or to an order. The worker calls each twice: to count, then to delete. */

export const noneErased: ErasureCounts = { persons: 0, texts: 0, files: 0, deliveries: 0 };

export const addErased = (a: ErasureCounts, b: ErasureCounts): ErasureCounts => ({
  persons: a.persons + b.persons,
  texts: a.texts + b.texts,
  files: a.files + b.files,
  deliveries: a.deliveries + b.deliveries,
});

export const customerSubject = (platform: string, customerId: string): string => `${platform}:customer:${customerId}`;
const orderSubject = ({ platform, orderId }: OrderRef): string => `${platform}:order:${orderId}`;

/** Reads all pages of items that are deleted page by page. */
async function* readPages<Count>(
  next: (after: string | undefined) => Promise<ErasedPage<Count>>,
): AsyncGenerator<Count> {
  let after: string | undefined;
  do {
    const page = await next(after);
    yield page.count;
    ({ after } = page);
  } while (after !== undefined);
}

type SubjectOptions = { readonly countOnly: boolean; readonly except?: string };

const eraseSubject = async (session: Session, subject: string, options: SubjectOptions): Promise<ErasureCounts> => {
  let erased = noneErased;
  for await (const count of readPages(async (after) => erasePerson(session, subject, { after, ...options })))
    erased = addErased(erased, { ...noneErased, ...count });
  return erased;
};

/** Whether to erase or only to count, and what is counted elsewhere. */
export type EraseOptions = {
  readonly countOnly: boolean;
  /** The deliveries that this step has counted. */
  readonly counted: Set<string>;
  /** Digests of names: deliveries with one of them are counted with the customer. */
  readonly except?: ReadonlySet<string>;
  /** The subject of the customer: withdrawals with a link from it are counted with the customer. */
  readonly customer?: string;
};

/** Erases or counts the deliveries of these subjects, each delivery once. */
const eraseDeliveriesOf = async (
  session: Session,
  subjects: readonly DeliverySubject[],
  { countOnly, counted, except }: EraseOptions,
): Promise<ErasureCounts> => {
  const before = counted.size;
  const options = { countOnly, ...(except !== undefined && { except }) };
  for (const of of subjects)
    for await (const keys of readPages(async (after) => eraseDeliveries(session, of, { after, ...options })))
      for (const key of keys) counted.add(key);
  return { ...noneErased, deliveries: counted.size - before };
};

const digestSubjects = (digests: readonly string[]): readonly DeliverySubject[] =>
  digests.map((nameDigest) => ({ nameDigest }));

type CustomerRequest = Extract<ErasureRequest, { customerId: string }>;

/** Returns the digests of the names of a customer. */
export const digestsOf = async (
  session: Session,
  { platform, customerId }: CustomerRequest,
): Promise<readonly string[]> =>
  digestsOfCustomer(session, { platform, customerId, subject: customerSubject(platform, customerId) });

/**
 * Erases the data of a customer.
 * Deliveries are first, because the address that finds them is part of the person's data.
 */
const eraseCustomer = async (
  session: Session,
  request: CustomerRequest,
  countOnly: boolean,
): Promise<ErasureCounts> => {
  const subjects = digestSubjects(await digestsOf(session, request));
  const deliveries = await eraseDeliveriesOf(session, subjects, { countOnly, counted: new Set() });
  const subject = customerSubject(request.platform, request.customerId);
  return addErased(deliveries, await eraseSubject(session, subject, { countOnly }));
};

/**
 * Erases the stored data of an order.
 * That is its buyer, if the shop named no customer, and the evidence files of its returns. Deliveries about the order
 * or its returns are erased too.
 */
export const eraseOrder = async (session: Session, order: OrderRef, options: EraseOptions): Promise<ErasureCounts> => {
  const { countOnly, customer } = options;
  const returnIds = await readReturnIdsOfOrder(session, order);
  const subject = orderSubject(order);
  const digests = await digestsOfOrder(session, order, subject, async () => readSummariesById(session, returnIds));
  const subjects: readonly DeliverySubject[] = [
    { platform: order.platform, orderId: order.orderId },
    ...returnIds.map((returnId) => ({ returnId })),
    ...digestSubjects(digests),
  ];
  let erased = await eraseDeliveriesOf(session, subjects, options);
  const except = customer === undefined ? {} : { except: customer };
  erased = addErased(erased, await eraseSubject(session, subject, { countOnly, ...except }));
  for (const returnId of returnIds)
    for await (const files of readPages(async (after) => eraseEvidence(session, returnId, { after, countOnly })))
      erased = addErased(erased, { ...noneErased, files });
  return erased;
};

/** Erases what belongs to the person alone, before the orders. */
export const erasePersonOf = async (
  session: Session,
  request: ErasureRequest,
  countOnly: boolean,
): Promise<ErasureCounts> => {
  if ('customerId' in request) return eraseCustomer(session, request, countOnly);
  if ('userId' in request) return { ...noneErased, persons: await eraseUserName(session, request.userId, countOnly) };
  if (!('withdrawalId' in request)) return noneErased;
  return { ...noneErased, texts: await eraseWithdrawal(session, request.withdrawalId, countOnly) };
};
