import type { OrderRef } from '../../domain/returns/model/order.ts';
import {
  eraseDeliveries,
  erasePerson,
  eraseUserName,
  eraseWithdrawal,
  type ErasedPage,
  type DeliverySubject,
} from '../../store/personal/erasure.ts';
import { eraseEvidence } from '../../store/personal/evidence.ts';
import type { Session } from '../../store/engine/session.ts';
import { readReturnIdsOfOrder, readReturnsOfCustomer, readSummariesById } from '../../store/returns/whole-returns.ts';
import type { ErasureCounts, ErasurePartition, ErasureRequest } from '../../store/jobs/job.ts';
import { digestsOfCustomer, digestsOfOrder } from './name-digests.ts';
import type { PartWorker } from './work.ts';

/** Returns of a customer that one step handles. */
const pageSize = 10;

const noneErased: ErasureCounts = { persons: 0, texts: 0, files: 0, deliveries: 0 };

const addErased = (one: ErasureCounts, other: ErasureCounts): ErasureCounts => ({
  persons: one.persons + other.persons,
  texts: one.texts + other.texts,
  files: one.files + other.files,
  deliveries: one.deliveries + other.deliveries,
});

const totalOf = ({ persons, texts, files, deliveries }: ErasureCounts): number => persons + texts + files + deliveries;

const customerSubject = (platform: string, customerId: string): string => `${platform}:customer:${customerId}`;
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
  let all = noneErased;
  for await (const count of readPages(async (after) => erasePerson(session, subject, { after, ...options })))
    all = addErased(all, { ...noneErased, ...count });
  return all;
};

type EraseOptions = {
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

const digestsOf = async (session: Session, { platform, customerId }: CustomerRequest): Promise<readonly string[]> =>
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
const eraseOrder = async (session: Session, order: OrderRef, options: EraseOptions): Promise<ErasureCounts> => {
  const { countOnly, customer } = options;
  const returnIds = await readReturnIdsOfOrder(session, order);
  const subject = orderSubject(order);
  const digests = await digestsOfOrder(session, order, subject, async () => readSummariesById(session, returnIds));
  const subjects: readonly DeliverySubject[] = [
    { platform: order.platform, orderId: order.orderId },
    ...returnIds.map((returnId) => ({ returnId })),
    ...digestSubjects(digests),
  ];
  let all = await eraseDeliveriesOf(session, subjects, options);
  const except = customer === undefined ? {} : { except: customer };
  all = addErased(all, await eraseSubject(session, subject, { countOnly, ...except }));
  for (const returnId of returnIds)
    for await (const files of readPages(async (after) => eraseEvidence(session, returnId, { after, countOnly })))
      all = addErased(all, { ...noneErased, files });
  return all;
};

/** The orders of one page, the number of their returns, and the start of the next page. */
type Orders = { readonly orders: readonly OrderRef[]; readonly returns: number; readonly before?: string };

const ordersOf = async (session: Session, request: ErasureRequest, before: string | undefined): Promise<Orders> => {
  // A declaration belongs to its own person, also after a match: an erasure by the order is another request.
  if ('withdrawalId' in request || 'userId' in request) return { orders: [], returns: 0 };
  if ('orderId' in request) {
    const { platform, orderId } = request;
    return {
      orders: [{ platform, orderId }],
      returns: (await readReturnIdsOfOrder(session, { platform, orderId })).length,
    };
  }
  const { platform, customerId } = request;
  const page = await readReturnsOfCustomer(session, customerId, before === undefined ? {} : { before }, pageSize);
  // Customers of other shops may have the same id.
  const own = page.returns.map(({ read }) => read().order).filter((order) => order.platform === platform);
  const orders = new Map(own.map(({ orderId }) => [orderId, { platform, orderId }]));
  return {
    orders: [...orders.values()],
    returns: own.length,
    ...(page.rest && page.last !== undefined && { before: page.last }),
  };
};

/** The result of one step, and the position of the next; no position at the end of a pass. */
type EraseStep = {
  readonly erased: ErasureCounts;
  readonly returns: number;
  readonly at?: Exclude<ErasurePartition['at'], undefined>;
};

/** Erases what belongs to the person alone, before the orders. */
const erasePersonOf = async (session: Session, request: ErasureRequest, countOnly: boolean): Promise<ErasureCounts> => {
  if ('customerId' in request) return eraseCustomer(session, request, countOnly);
  if ('userId' in request) return { ...noneErased, persons: await eraseUserName(session, request.userId, countOnly) };
  if (!('withdrawalId' in request)) return noneErased;
  return { ...noneErased, texts: await eraseWithdrawal(session, request.withdrawalId, countOnly) };
};

/**
 * Whether an earlier page had a return of this order: then that page has counted the order with all of its returns. A
 * job that deletes needs no such check, because it has deleted what it counted.
 */
const hasCounted = async (
  session: Session,
  request: ErasureRequest,
  order: OrderRef,
  before: string | undefined,
): Promise<boolean> => {
  if (before === undefined || !request.countOnly || !('customerId' in request)) return false;
  const earlier = (await readReturnIdsOfOrder(session, order)).filter((returnId) => returnId >= before);
  const summaries = await readSummariesById(session, earlier);
  return summaries.some(({ customerId }) => customerId === request.customerId);
};

const runStep = async (
  session: Session,
  request: ErasureRequest,
  at: ErasurePartition['at'],
  countOnly: boolean,
): Promise<EraseStep> => {
  if (at === undefined) {
    return { erased: await erasePersonOf(session, request, countOnly), returns: 0, at: {} };
  }
  const { orders, returns, before } = await ordersOf(session, request, at.before);
  const options: EraseOptions = {
    countOnly,
    counted: new Set(),
    ...('customerId' in request && {
      except: new Set(await digestsOf(session, request)),
      customer: customerSubject(request.platform, request.customerId),
    }),
  };
  let erased = noneErased;
  for (const order of orders)
    if (!(await hasCounted(session, request, order, at.before)))
      erased = addErased(erased, await eraseOrder(session, order, options));
  return { erased, returns, ...(before !== undefined && { at: { before } }) };
};

/** Returns the partition with the counts of what its next step deletes. */
const partWithCount = (part: ErasurePartition, { erased, returns }: EraseStep): ErasurePartition => ({
  ...part,
  counted: true,
  found: part.found + totalOf(erased),
  erased: addErased(part.erased, erased),
  // All passes find the same returns.
  ...(part.pass === 1 && { returns: part.returns + returns }),
});

/**
 * Returns the partition after a step.
 * A pass that found data is followed by another, because data may arrive during the pass.
 */
const partAfterStep = (part: ErasurePartition, { erased, at }: EraseStep, countOnly: boolean): ErasurePartition => {
  const { at: _, counted: __, ...rest } = part;
  const found = part.found + totalOf(erased);
  if (at !== undefined) return { ...rest, found, at };
  return found === 0 || countOnly ? { ...rest, done: true } : { ...rest, pass: part.pass + 1, found: 0 };
};

/**
 * Deletes the stored data of a person, in passes until one finds nothing.
 * The worker counts and saves what a step will delete before it deletes. If it dies, the next worker deletes the rest
 * and counts nothing twice. Of two workers on the same partition, one has counted before any deletion.
 */
export const erase: PartWorker<'erasure'> = async (session, { job, part, stopAt, isOpen, save }) => {
  const { request } = job;
  const { countOnly } = request;
  let present = part;
  // Deletions are final, so the loop stops as soon as the job is cancelled.
  while (await isOpen()) {
    const { at } = present;
    let step: EraseStep | undefined;
    if (present.counted !== true) {
      step = await runStep(session, request, at, true);
      present = partWithCount(present, step);
    }
    if (!countOnly) {
      if (step !== undefined && !(await save(present))) return 'over';
      step = await runStep(session, request, at, false);
    }
    if (step === undefined) throw new Error(`${job.id} is only to count, and has counted without an end`);
    present = partAfterStep(present, step, countOnly);
    if (!(await save(present))) return 'over';
    if (present.done) return 'done';
    if (Date.now() >= stopAt) return 'unfinished';
  }
  return 'over';
};
