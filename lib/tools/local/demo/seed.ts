import { fail, ok, type Result } from '../../../runtime/result.ts';
import { parseObject } from '../../../runtime/json.ts';
import type { Wait } from '../waits.ts';
import { type Answered, type ApiRequest, callApi, codeIn, messageOf, shortly } from './call.ts';
import { commandsOf, eur, type Return } from './seed-commands.ts';
import { type Plan, seedPlans } from './seed-plans.ts';
import { type Demo, runStep } from './step.ts';

const dayMs = 86_400_000;
const platform = 'web';
/** The returns that are created at a time. */
const concurrency = 4;

type Send = (request: ApiRequest) => Promise<Answered>;

/** Statuses of the answers of rules, such as a published policy that decides otherwise than a plan. */
const ruleErrors: ReadonlySet<number> = new Set([409, 422]);

/**
 * Sends a request. The failure is the error of a rule in one short line.
 *
 * @param returnId the return that is read again where it has changed meanwhile
 * @throws {Error} with any other error in one short line
 */
const perform = async (send: Send, request: ApiRequest, returnId?: string): Promise<Result<Return, string>> => {
  const answered = await send(request);
  if (answered.status < 300) return ok(JSON.parse(answered.text) as Return);
  const code = codeIn(answered);
  // An earlier seed has created the return that the problem names.
  const known = code === 'duplicate_return' ? parseObject(answered.text)?.['returnId'] : returnId;
  if (typeof known === 'string' && (code === 'duplicate_return' || code === 'version_mismatch'))
    return perform(send, { method: 'GET', path: `/returns/${known}` });
  const line = `${request.method} ${request.path} ${shortly(answered)}`;
  if (ruleErrors.has(answered.status)) return fail(line);
  throw new Error(line);
};

/** The tax in a price: 23 %. */
const taxOf = (price: number) => {
  const tax = eur(Math.round((price * 23) / 123));
  return { taxTotal: tax, taxes: [{ rate: '23', category: 'S', amount: tax }], taxIncluded: true };
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
    ...taxOf((quantity + 1) * product.price),
    deliveries: [{ quantity: quantity + 1, at: new Date(now - plan.deliveredDaysAgo * dayMs).toISOString() }],
  })),
  observedAt: new Date(now).toISOString(),
});

/** Registers the order of a plan, unless an earlier seed has, and creates its return. */
const create = async (send: Send, plan: Plan, now: number): Promise<Result<Return, string>> => {
  const orderId = `seed-${plan.number.slice(1)}`;
  const path = `/orders/${platform}/${orderId}`;
  if ((await send({ method: 'GET', path })).status >= 300) {
    const registered = await perform(send, { method: 'PUT', path, body: factsOf(plan, now) });
    if (!registered.ok) return registered;
  }
  const lines = plan.lines.map(({ quantity, reason }, index) => ({ orderLineId: `${index + 1}`, quantity, reason }));
  const externalRefs = [{ platform, id: orderId }];
  const body = { order: { platform, orderId }, lines, externalRefs, initiatedBy: 'customer', channel: 'web' };
  return perform(send, { method: 'POST', path: '/returns', body });
};

/** Runs the commands of a plan, up to the first one that a rule rejects. */
const carryOut = async (send: Send, plan: Plan, created: Return): Promise<Result<Return, string>> => {
  let current = created;
  for (const { isDone, request } of commandsOf[plan.stage]) {
    while (!isDone(current)) {
      const result = await perform(send, request(current, plan), current.returnId);
      if (!result.ok) return result;
      current = result.value;
    }
  }
  return ok(current);
};

/** The number of returns, and the first error of a rule for each plan that has one. */
export type Seeded = { readonly returns: number; readonly rejected: readonly string[] };

/**
 * Creates forty returns of an invented shop in the standalone mode, in every status. It continues from the returns that
 * an earlier seed has created.
 *
 * @param now epoch milliseconds
 * @throws {Error} in one short line, for an answer that is neither a success nor the error of a rule
 */
export const seed = async (url: string, token: string, now: number, wait: Wait): Promise<Seeded> => {
  const send: Send = (request) => callApi({ url, token }, request, wait);
  const rest = [...seedPlans()];
  const rejected: string[] = [];
  let returns = 0;
  const work = async () => {
    for (let plan = rest.shift(); plan !== undefined; plan = rest.shift()) {
      const created = await create(send, plan, now);
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

/**
 * Creates the returns of the invented shop as a step of the start. It prints a failure in one line, and the stack runs on.
 *
 * @returns whether it succeeded
 */
export const runSeed = async (demo: Demo, token: string): Promise<boolean> => {
  const { stack, progress } = demo;
  try {
    const { rejected } = await runStep(
      demo,
      'Make the returns of an invented shop',
      (wait) => seed(stack.info.standalone.url, token, Date.now(), wait),
      ({ returns }) => `${returns} returns`,
    );
    const [first] = rejected;
    if (first !== undefined)
      progress.print(`  A rule of this stack kept ${rejected.length} of them from their status. The first: ${first}`);
    return true;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    progress.print(
      `  The seed stopped: ${messageOf(cause)}`,
      '  The stack runs. To continue the seed, start it again with --seed.',
    );
    return false;
  }
};
