import type { OrderRef } from '../../domain/returns/model/order.ts';
import type { Session } from '../../store/engine/session.ts';
import { readReturnIdsOfOrder, readReturnsOfCustomer, readSummariesById } from '../../store/returns/whole-returns.ts';
import type { ErasureCounts, ErasurePartition, ErasureRequest } from '../../store/jobs/job.ts';
import {
  addErased,
  customerSubject,
  digestsOf,
  eraseOrder,
  type EraseOptions,
  erasePersonOf,
  noneErased,
} from './erase-subjects.ts';
import type { PartWorker } from './work.ts';

/** Returns of a customer that one step handles. */
const pageSize = 10;

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

const totalOf = ({ persons, texts, files, deliveries }: ErasureCounts): number => persons + texts + files + deliveries;

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
