import { randomUUID } from 'node:crypto';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import type Type from 'typebox';
import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import { asyncApi } from '../../../lib/contract/async-api.ts';
import { extractDefinitions } from '../../../lib/contract/definitions.ts';
import { changes } from '../../../lib/contract/events/event-types.ts';
import { CloudEvent } from '../../../lib/contract/events/events.ts';
import { cloudEvent, publicData } from '../../../lib/domain/events/cloud-event.ts';
import { publishTableRecords } from '../../../lib/service/outbox/publish-events.ts';
import type { Entry, Event } from '../../../lib/domain/returns/history/entry.ts';
import * as listing from '../../../lib/service/operations/events.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { compensate } from '../../../lib/domain/returns/commands/money/compensate.ts';
import { refreshReturn } from '../../../lib/domain/returns/commands/request/refresh-return.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { appendEntries } from '../../../lib/domain/returns/history/history.ts';
import { order, orderLine } from '../../support/orders.ts';
import { openCase, run } from '../../support/return-case.ts';
import { expectAgreement } from '../../domain/returns/model/agree.ts';
import { lives as modelLives } from '../../domain/returns/model/steps.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { executeRequest } from '../../support/life-of-backend.ts';
import { create, lives, register, steps, subjectOf } from '../../support/life.ts';
import { runs } from '../../support/samples.ts';
import { contextWith } from '../../support/time.ts';
import { allEvents, appendAll, withdrawalId, withNote } from '../../domain/withdrawals/support.ts';
import { streamOf } from './support.ts';
import { walker } from './walker.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
setEnvironment({
  RETURN_TERMS: JSON.stringify({ refundTiming: 'approved', fees: { returnShipping: 490 } }),
});
afterAll(world.stop);

const ajv = new Ajv({ strict: true, allErrors: true }).addVocabulary(['x-expected']);
formats.default(ajv);
const compile = (schema: Type.TSchema): ValidateFunction => {
  const { document, definitions } = extractDefinitions(schema, '#/definitions/');
  return ajv.compile({ allOf: [document], definitions });
};
const envelope = compile(CloudEvent);
const prefix = 'com.example.returns';

/** Returns the AsyncAPI schema of each type, by the whole type. */
const ofType = (): ReadonlyMap<string, ValidateFunction> => {
  const { components } = JSON.parse(
    JSON.stringify(asyncApi(prefix)).replaceAll('#/components/schemas/', '#/definitions/'),
  ) as { components: { messages: Record<string, { name: string; payload: object }>; schemas: object } };
  return new Map(
    Object.values(components.messages).map(({ name, payload }) => [
      name,
      ajv.compile({ allOf: [payload], definitions: components.schemas }),
    ]),
  );
};
const payloads = ofType();

/** Every event type of a history that is published: the compiler completes the list. */
const known: Readonly<Record<Exclude<Event['type'], 'return.imported'>, unknown>> = changes;

const origin = { source: 'urn:returns:unit', typePrefix: prefix };

const errorsOf = (event: { readonly type: string }): string[] => {
  const { type } = event;
  const payload = payloads.get(type);
  if (payload === undefined) return [`there is no message for ${type}`];
  return [envelope, payload].flatMap((validate) =>
    validate(event) ? [] : (validate.errors ?? []).map((error) => JSON.stringify([type, error])),
  );
};

/** Replaces the short ids of the model. */
const withIds = (text: string): string =>
  text
    .replaceAll('"rec_', '"rcv_')
    .replaceAll('"rmaNumber":"0"', '"rmaNumber":"7ZK3Q9WX2M4"')
    .replaceAll(/"(id|lineId)":"[a-z]"/g, '"$1":"rln_"')
    .replaceAll(/"(ret|rln|pcl|ins|unx|rfd|exc|rcv|att|note)_[^"]*"/g, '"$1_01KAJ3V9Z8QW4T6R2M5N7P0XYB"');

it('event satisfies its schema in every life of a return', () => {
  const types = new Set<string>();
  const errors = new Set<string>();
  const entries = (): readonly Entry[] => {
    const all: Entry[] = [];
    fc.assert(
      fc.property(modelLives(24), (life) => {
        all.push(...expectAgreement(life, new Map()));
      }),
      { numRuns: runs(80, 4), seed: 20261121 },
    );
    return all;
  };
  for (const entry of entries()) {
    types.add(entry.type);
    const event = cloudEvent('RETURN#ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB', entry, origin);
    for (const error of errorsOf(JSON.parse(withIds(JSON.stringify(event))) as typeof event)) errors.add(error);
  }
  expect([...errors]).toEqual([]);
  expect(types.size).toBeGreaterThan(25);
  expect([...types].filter((type) => !(type in known))).toEqual([]);
});

it('event satisfies its schema when the order has payments, taxes and a promotion', () => {
  const money = (amount: number) => ({ amount, currency: 'EUR' });
  const line = orderLine({ quantity: 3, discountTotal: money(1000), taxTotal: money(300), taxIncluded: true });
  const facts = order({
    lines: [{ ...line, taxes: [{ rate: '19', amount: money(300) }] }],
    payments: [{ id: 'card', method: 'card', paid: money(1500) }],
    paymentsComplete: true,
    promotions: [{ id: '3for2', lines: [{ orderLineId: '1', discount: money(1000) }], condition: { units: 3 } }],
  });
  const opened = openCase([{ orderLineId: '1', quantity: 2 }], {
    facts,
    terms: { ...defaultTerms, refundTiming: 'approved', fees: { ...defaultTerms.fees, promotion: true } },
  });
  const reduction = { type: 'price_reduction', lineId: 'a', amount: money(10), reason: 'goodwill' } as const;
  const { state, entries } = run(
    opened,
    (situation) => approve(situation, {}),
    (situation) => compensate(situation, reduction, { id: 'rfd_1' }),
  );
  const event = refreshReturn(state, { sendBy: undefined, paymentsLeft: null });
  if (event === undefined) throw new Error('nothing to refresh');
  const { updatedAt: at } = state;
  const metadata = {
    at,
    actor: { clientId: 'shop' },
    causationId: 'request',
    correlationId: 'trace',
    policyVersion: null,
  };
  const [refreshed] = appendEntries(state, [event], metadata).entries;
  const all = [...entries, ...(refreshed === undefined ? [] : [refreshed])];
  expect(all.map(({ type }) => type)).toEqual([
    'return.requested',
    'return.approved',
    'refund.requested',
    'return.refreshed',
  ]);
  const published = all.map((entry) => cloudEvent('RETURN#ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB', entry, origin));
  expect(published.flatMap((one) => errorsOf(JSON.parse(withIds(JSON.stringify(one))) as typeof one))).toEqual([]);
  expect(published[0]?.data.change).toMatchObject({ paymentsLeft: 1500, promotion: expect.any(Number) });
});

/** Leads a return through a life by its commands, and skips the failed ones. */
const live = async (life: (typeof lives)[number]): Promise<{ readonly stream: string; readonly version: number }> => {
  const order = { platform: 'web', orderId: randomUUID() };
  await executeRequest(backend, register(order, 3), backendCall());
  const { reply } = await executeRequest(backend, create(order, 2, randomUUID()), backendCall());
  const first = subjectOf(order, reply as never);
  let { version } = first;
  for (const name of life) {
    const body = await executeRequest(backend, steps[name]({ ...first, version }, randomUUID()), backendCall()).then(
      (executed) => executed.reply.body as { version: number },
      () => undefined,
    );
    if (body !== undefined) version = 'rmaNumber' in body ? body.version : version + 1;
  }
  return { stream: `RETURN#${first.returnId}`, version };
};

it('event contains no customer and no personal text', async () => {
  const lived = await Promise.all(lives.map(live));
  const batch = streamOf(lived.map(({ stream, version }) => ({ stream, sequence: version })));
  await publishTableRecords(batch, contextWith());
  const reader = walker(listing, () => 200);
  await reader.finish();
  expect(reader.events.length).toBe(lived.reduce((sum, { version }) => sum + version, 0));
  expect(reader.events.flatMap((event) => errorsOf(event))).toEqual([]);
  const eventData = JSON.stringify([...reader.events, ...world.bus.taken].map(({ data }) => data));
  const leak =
    /marker|customer-of|agent-7|"(onBehalfOf|sealed|actorKey|customer|subject|note|message|evidence|attachment|terms|digest|keyHash)"/i;
  expect(leak.exec(eventData)?.[0]).toBeUndefined();
});

it('event of a command of a user has the id of the user, and no name', async () => {
  const { stream, version } = await live([]);
  const returnId = stream.slice('RETURN#'.length);
  const { caller, ...call } = backendCall();
  const user = { id: `user-${randomUUID()}`, name: 'Marker Employee' };
  const { clientId, scopes } = caller;
  const approved = await backend.approve({ returnId }, { ...call, caller: { clientId, scopes, user } });
  expect(approved).toMatchObject({ ok: true });
  await publishTableRecords(streamOf([{ stream, sequence: version + 1 }]), contextWith());
  const reader = walker(listing, () => 200);
  await reader.finish();
  const events = [...reader.events, ...world.bus.taken].filter(
    ({ subject, type }) => subject === returnId && type === `${prefix}.return.approved`,
  );
  expect(events.map(({ data }) => data)).toMatchObject([
    { actor: { clientId, user: { id: user.id } } },
    { actor: { clientId, user: { id: user.id } } },
  ]);
  expect(events.flatMap((event) => errorsOf(event))).toEqual([]);
  expect(JSON.stringify(events)).not.toContain(user.name);
});

describe('events of a refund that was paid before', () => {
  it.each<readonly [status: 'succeeded' | 'failed', result: object]>([
    ['succeeded', { providerRef: 'pay-1', occurredAt: '2026-11-20T08:00:00.000Z' }],
    ['failed', { code: 'card_closed', occurredAt: '2026-11-20T08:00:00.000Z' }],
  ])('are the booking and the result %s, once each and in order', async (status, result) => {
    const { stream } = await live(['approve']);
    const returnId = stream.slice('RETURN#'.length);
    const request = { returnId, result: { status, ...result } };
    const [first, again] = [backendCall(), backendCall()];
    const booked = await backend.refund(request, first);
    expect(booked).toMatchObject({ ok: true, value: { body: { version: 4, refunds: [{ status }] } } });
    expect(await backend.refund(request, first)).toMatchObject({ ok: true, value: { replayed: true } });
    expect(await backend.refund(request, again)).toMatchObject({ ok: false });
    await publishTableRecords(streamOf([3, 4, 4].map((sequence) => ({ stream, sequence }))), contextWith());
    const reader = walker(listing, () => 200);
    await reader.finish();
    const events = reader.events.filter(({ subject }) => subject === returnId).slice(2);
    expect(events.flatMap((event) => errorsOf(event))).toEqual([]);
    const refundId = booked.ok ? booked.value.body.refunds[0]?.refundId : undefined;
    expect(events).toMatchObject([
      {
        type: `${prefix}.refund.requested`,
        data: { sequence: 3, change: { refund: { refundId, status: 'pending' } } },
      },
      { type: `${prefix}.refund.${status}`, data: { sequence: 4, change: { refundId, ...result } } },
    ]);
    const sent = world.bus.taken.filter(({ subject }) => subject === returnId);
    expect(sent.map(({ type }) => type).slice(-2)).toEqual([
      `${prefix}.refund.requested`,
      `${prefix}.refund.${status}`,
    ]);
  });
});

describe('events of a withdrawal', () => {
  it('satisfy their schemas, and have no reference to a text of the consumer', () => {
    const note = { ref: 'answer/note', digest: '0'.repeat(64) };
    const { entries } = appendAll(undefined, [...allEvents.slice(0, -1), withNote(note)]);
    const events = entries.map((entry) => cloudEvent(`WITHDRAWAL#${withdrawalId}`, entry, origin));
    expect(new Set(events.map(({ type }) => type)).size).toBe(6);
    expect(events.flatMap((event) => errorsOf(event))).toEqual([]);
    expect(JSON.stringify(events)).not.toMatch(/digest|actorKey|texts|sealed|previousHash/);
  });
});

describe('publicData', () => {
  it('hides personal data at any depth, and text references', () => {
    const sealed = { ref: 'a', digest: 'b' };
    expect(
      publicData({
        waiver: { reason: sealed },
        list: [{ note: sealed, kept: 1 }],
        refund: { request: { keyHash: 'a' } },
      }),
    ).toEqual({ waiver: {}, list: [{ kept: 1 }], refund: {} });
  });

  it('names ids as the API does, and does not change references and metadata', () => {
    const shop = { platform: 'web', id: 'ret_1' };
    expect(
      publicData({
        id: 'ret_1',
        externalRefs: [shop],
        metadata: { id: 'ret_2' },
        lines: [{ id: 'rln_1' }, { id: 'ins_1', lineId: 'rln_2' }],
        parcel: { id: 'pcl_1' },
        refund: { id: 'rfd_1', external: shop },
        exchange: { id: 'exc_1' },
      }),
    ).toEqual({
      returnId: 'ret_1',
      externalRefs: [shop],
      metadata: { id: 'ret_2' },
      lines: [{ lineId: 'rln_1' }, { id: 'ins_1', lineId: 'rln_2' }],
      parcel: { parcelId: 'pcl_1' },
      refund: { refundId: 'rfd_1', external: { platform: 'web', externalId: 'ret_1' } },
      exchange: { exchangeId: 'exc_1' },
    });
  });
});
