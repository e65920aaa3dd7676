import { randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { parseObject } from '../../../runtime/json.ts';
import type { Wait } from '../waits.ts';
import { type Answered, call, codeIn, shortly } from './call.ts';
import { type Plan, seedPlans } from './seed-plans.ts';
import { eur, type Request, type Return, type Step, stepsOf } from './seed-steps.ts';

const dayMs = 86_400_000;
const platform = 'web';
/** The returns that are made at a time. */
const concurrency = 4;

/** Sends one request to the Returns Service. */
type Send = (request: Request, version?: number) => Promise<Answered>;

const requestsTo =
  (url: string, token: string, wait: Wait): Send =>
  ({ method, path, body }, version) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return call(`${url}/v1${path}`, { method, headers, ...content }, wait);
  };

/** What a rule of the service answers, such as a published policy that decides otherwise than a plan. */
const ruleErrors = new Set([409, 422]);

/**
 * Returns the content of a success, or the refusal of a rule in one short line.
 *
 * @throws {Error} with any other answer in one short line
 */
const resultOf = ({ method, path }: Request, answered: Answered): Result<unknown, string> => {
  if (answered.status < 300) return ok(JSON.parse(answered.text));
  const line = `${method} ${path} ${shortly(answered)}`;
  if (ruleErrors.has(answered.status)) return fail(line);
  throw new Error(line);
};

/** The order of a plan, delivered on its day. The customer returns all units of a line but one. */
const factsOf = (plan: Plan, now: number) => ({
  number: plan.number,
  placedAt: new Date(now - (plan.deliveredDaysAgo + 3) * dayMs).toISOString(),
  currency: 'EUR',
  country: plan.country,
  customer: plan.customer,
  lines: plan.lines.map(({ product, quantity }, index) => ({
    lineId: String(index + 1),
    sku: product.sku,
    title: product.title,
    quantity: quantity + 1,
    unitPrice: eur(product.price),
    taxTotal: eur(Math.round(((quantity + 1) * product.price * 23) / 123)),
    taxIncluded: true,
    deliveries: [{ quantity: quantity + 1, at: new Date(now - plan.deliveredDaysAgo * dayMs).toISOString() }],
  })),
  observedAt: new Date(now).toISOString(),
});

type ReturnResult = Result<Return, string>;

const readReturn = async (send: Send, returnId: string): Promise<ReturnResult> => {
  const request: Request = { method: 'GET', path: `/returns/${returnId}` };
  return resultOf(request, await send(request)) as ReturnResult;
};

/** Registers the order of a plan, if no earlier seed has. */
const register = async (send: Send, plan: Plan, orderId: string, now: number): Promise<Result<unknown, string>> => {
  const path = `/orders/${platform}/${orderId}`;
  const stored = await send({ method: 'GET', path });
  if (stored.status < 300) return ok(undefined);
  const request: Request = { method: 'PUT', path, body: factsOf(plan, now) };
  return resultOf(request, await send(request));
};

/** Creates the return of a plan, or reads the one of an earlier seed. */
const createOrRead = async (send: Send, plan: Plan, now: number): Promise<ReturnResult> => {
  const orderId = `seed-${plan.number.slice(1)}`;
  const registered = await register(send, plan, orderId, now);
  if (!registered.ok) return registered;
  const lines = plan.lines.map(({ quantity, reason }, index) => ({
    orderLineId: String(index + 1),
    quantity,
    reason,
  }));
  const externalRefs = [{ platform, id: orderId }];
  const body = { order: { platform, orderId }, lines, externalRefs, initiatedBy: 'customer', channel: 'web' };
  const request: Request = { method: 'POST', path: '/returns', body };
  const answered = await send(request);
  const existing = codeIn(answered) === 'duplicate_return' ? parseObject(answered.text)?.['returnId'] : undefined;
  return typeof existing === 'string' ? readReturn(send, existing) : (resultOf(request, answered) as ReturnResult);
};

/** Takes a step, unless it is done. A return that changed meanwhile is read again. */
const take = async (send: Send, step: Step, current: Return, plan: Plan): Promise<ReturnResult> => {
  if (step.isDone(current)) return ok(current);
  const request = step.request(current, plan);
  const answered = await send(request, request.method === 'PATCH' ? current.version : undefined);
  if (codeIn(answered) !== 'version_mismatch') return resultOf(request, answered) as ReturnResult;
  const read = await readReturn(send, current.returnId);
  return read.ok ? take(send, step, read.value, plan) : read;
};

/** Takes the steps of a return, up to the first one that a rule refuses. */
const carryOut = async (send: Send, plan: Plan, created: Return): Promise<ReturnResult> => {
  let current: ReturnResult = ok(created);
  for (const step of stepsOf[plan.stage]) {
    if (!current.ok) return current;
    current = await take(send, step, current.value, plan);
  }
  return current;
};

/** The number of returns, and the first refusal of each plan that a rule of the service did not permit. */
export type Seeded = { readonly returns: number; readonly rejected: readonly string[] };

/**
 * Makes forty returns of an invented shop in the standalone mode, in every status. It continues from the returns that
 * an earlier seed has made.
 *
 * @param now epoch milliseconds
 * @throws {Error} in one short line, for an answer that is neither a success nor the refusal of a rule
 */
export const seed = async (url: string, token: string, now: number, wait: Wait): Promise<Seeded> => {
  const send = requestsTo(url, token, wait);
  const rest = [...seedPlans()];
  const rejected: string[] = [];
  let returns = 0;
  const work = async () => {
    for (let plan = rest.shift(); plan !== undefined; plan = rest.shift()) {
      const created = await createOrRead(send, plan, now);
      if (created.ok) returns += 1;
      const result = created.ok ? await carryOut(send, plan, created.value) : created;
      if (!result.ok) rejected.push(result.failure);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    // After a failure the other workers end with their current return.
    rest.length = 0;
  }
  return { returns, rejected };
};
