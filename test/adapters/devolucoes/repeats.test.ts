import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { journalRows } from '../../support/journal-rows.ts';
import { newKey, newReturn, openWorld, problemOf, processing, resetAfterwards } from './world.ts';

const { call, create, createApproved, effectsOf, requestsOf, newOrder, books, front, stack } = await openWorld();

const unknown = { status: 504, code: 'timeout' };
const units = (quantity: number) => ({ lines: [{ lineId: '1', quantity }] });

/** Sends a command on a return with a key. */
const commandOn = (id: string, command: string, body: object, key = newKey()) => {
  const send = (other: object = body) => call.post(`/returns/${id}/${command}`, other, { key });
  return { send };
};

const countOf = (method: string, end: string): number =>
  front.requests.filter(({ method: sent, path }) => sent === method && path.endsWith(end)).length;

describe('a connection that breaks after the service has acted', () => {
  it('lets a new return be sent again with one key of the service: there is one return', async () => {
    const order = newOrder();
    const before = countOf('POST', '/devolucoes');
    front.meddle('POST', '/devolucoes', resetAfterwards);
    const { status, body } = await call.post('/returns', newReturn(order));
    expect({ status, body }).toMatchObject({ status: 201, body: { order: { orderId: order } } });
    expect(countOf('POST', '/devolucoes') - before).toBe(2);
    const [first, second] = front.requests.filter(({ path }) => path.endsWith('/devolucoes')).slice(-2);
    expect(first?.headers['chave-idempotencia']).toMatch(/^[\w-]{43}$/);
    expect(second?.headers['chave-idempotencia']).toBe(first?.headers['chave-idempotencia']);
    expect(books.all().filter(({ pedido }) => pedido.numero === order)).toHaveLength(1);
  });

  it('lets a cancellation be sent again: a second one changes nothing', async () => {
    const id = await create();
    front.meddle('POST', '/cancelamento', resetAfterwards);
    const { status, body } = await commandOn(id, 'cancel', {}).send();
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(requestsOf('POST', id)).toHaveLength(2);
    expect(effectsOf(id)).toEqual(['ABERTA', 'CANCELADA']);
  });

  it('leaves a cancellation unknown after three attempts, and its repeat is sent again', async () => {
    const id = await create();
    for (let attempt = 0; attempt < 3; attempt += 1) front.meddle('POST', '/cancelamento', resetAfterwards);
    const { send } = commandOn(id, 'cancel', {});
    expect(problemOf(await send())).toMatchObject(unknown);
    expect((await send()).body).toMatchObject({ status: 'cancelled' });
    expect(effectsOf(id)).toEqual(['ABERTA', 'CANCELADA']);
  });

  it.each([
    ['approve', {}, 'approved', 'APROVADA'],
    ['reject', { code: 'fora_do_prazo' }, 'rejected', 'RECUSADA'],
  ])('lets %s read the effect, and never sends it again', async (command, body, status, situacao) => {
    const id = await create();
    front.meddle('POST', command === 'approve' ? '/aprovacao' : '/recusa', resetAfterwards);
    const { send } = commandOn(id, command, body);
    const answers = [await send(), await send()];
    expect(answers).toMatchObject([
      { status: 200, body: { status } },
      { status: 200, body: { status } },
    ]);
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(requestsOf('POST', id)).toHaveLength(1);
    expect(effectsOf(id)).toEqual(['ABERTA', situacao]);
  });

  it('leaves a note unknown, and a repeat never sends it again', async () => {
    const id = await create();
    front.meddle('POST', '/observacoes', resetAfterwards);
    const { send } = commandOn(id, 'notes', { text: 'ligar antes' });
    for (let attempt = 0; attempt < 3; attempt += 1) expect(problemOf(await send())).toMatchObject(unknown);
    expect(requestsOf('POST', id)).toHaveLength(1);
    expect(books.find(id)?.observacoes).toEqual(['ligar antes']);
  });

  it('lets a receipt of all units be read', async () => {
    const id = await createApproved();
    front.meddle('POST', '/recebimento', resetAfterwards);
    expect((await commandOn(id, 'receipts', units(2)).send()).body).toMatchObject({ status: 'received' });
    expect(requestsOf('POST', id).filter(({ path }) => path.endsWith('/recebimento'))).toHaveLength(1);
    expect(books.find(id)?.itens).toMatchObject([{ recebidas: 2 }]);
  });

  it('leaves a receipt unknown until the service has carried it out', async () => {
    const id = await createApproved();
    processing.ms = 3_600_000;
    front.meddle('POST', '/recebimento', resetAfterwards);
    const { send } = commandOn(id, 'receipts', units(2));
    expect(problemOf(await send())).toMatchObject(unknown);
    expect(problemOf(await send())).toMatchObject(unknown);
    books.processDue(Number.POSITIVE_INFINITY);
    expect((await send()).body).toMatchObject({ status: 'received' });
    expect(effectsOf(id)).toEqual(['ABERTA', 'APROVADA', 'RECEBIDA']);
  });

  it('leaves a receipt of some units unknown: the return does not say whose they are', async () => {
    const id = await createApproved();
    front.meddle('POST', '/recebimento', resetAfterwards);
    const { send } = commandOn(id, 'receipts', units(1));
    expect(problemOf(await send())).toMatchObject(unknown);
    expect(problemOf(await send())).toMatchObject(unknown);
    expect(books.find(id)?.itens).toMatchObject([{ recebidas: 1 }]);
  });
});

describe('a connection that breaks before the service has acted', () => {
  it('leaves the effect of a command unknown: the key sends it never again, another key does', async () => {
    const id = await create();
    front.meddle('POST', '/aprovacao', async () => 'reset');
    const { send } = commandOn(id, 'approve', {});
    expect(problemOf(await send())).toMatchObject(unknown);
    expect(problemOf(await send())).toMatchObject(unknown);
    expect(effectsOf(id)).toEqual(['ABERTA']);
    expect((await commandOn(id, 'approve', {}).send()).status).toBe(200);
    expect(effectsOf(id)).toEqual(['ABERTA', 'APROVADA']);
    expect((await send()).body).toMatchObject({ status: 'approved' });
    expect(requestsOf('POST', id)).toHaveLength(2);
  });

  it.each(['500', '503'])('means the same as a status of %s', async (status) => {
    const id = await create();
    front.meddle('POST', '/observacoes', async () => ({ status: Number(status), body: '{}' }));
    const { send } = commandOn(id, 'notes', { text: 'ligar antes' });
    expect(problemOf(await send())).toMatchObject(unknown);
    expect(problemOf(await send())).toMatchObject(unknown);
    expect(requestsOf('POST', id)).toHaveLength(1);
  });
});

describe('a repeat with an idempotency key', () => {
  it('replays the answer of a success, and sends nothing', async () => {
    const id = await create();
    const { send } = commandOn(id, 'approve', {});
    const [first, second] = [await send(), await send()];
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(requestsOf('POST', id)).toHaveLength(1);
  });

  it('replays a new return with its Location', async () => {
    const key = newKey();
    const body = newReturn(newOrder());
    const [first, second] = [await call.post('/returns', body, { key }), await call.post('/returns', body, { key })];
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
  });

  it('returns 422 with another body, and for another operation', async () => {
    const id = await create();
    const key = newKey();
    const { send } = commandOn(id, 'reject', { code: 'fora_do_prazo' }, key);
    expect((await send()).status).toBe(200);
    const reused = { status: 422, code: 'idempotency_key_reused' };
    expect(problemOf(await send({ code: 'outro' }))).toEqual(reused);
    expect(problemOf(await commandOn(id, 'cancel', {}, key).send())).toEqual(reused);
    expect(requestsOf('POST', id)).toHaveLength(1);
  });

  it('of another client is another request', async () => {
    const [own, other] = [await create(), await create()];
    const key = newKey();
    expect((await commandOn(own, 'approve', {}, key).send()).status).toBe(200);
    const answer = await call.post(`/returns/${other}/approve`, {}, { key, client: 'returns-partner' });
    expect(answer.status).toBe(200);
  });

  it('returns 409 while the first request is in progress, and replays its answer afterwards', async () => {
    const id = await create();
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    front.meddle('POST', '/aprovacao', async (forward) => {
      arrived.resolve();
      await gate.promise;
      return forward();
    });
    const { send } = commandOn(id, 'approve', {});
    const first = send();
    await arrived.promise;
    const second = await send();
    expect(problemOf(second)).toEqual({ status: 409, code: 'idempotency_key_in_progress' });
    expect(second.headers.get('retry-after')).toBe('1');
    gate.resolve();
    expect((await first).status).toBe(200);
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
    expect(effectsOf(id)).toEqual(['ABERTA', 'APROVADA']);
  });

  it('has one effect among ten at the same time', async () => {
    const id = await create();
    const { send } = commandOn(id, 'notes', { text: 'uma vez' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(books.find(id)?.observacoes).toEqual(['uma vez']);
  });
});

describe('the journal of commands', () => {
  it('has the answers without the customer, texts and passwords', async () => {
    const id = await create();
    await commandOn(id, 'reject', { code: 'fora_do_prazo', note: 'texto-livre-4410' }).send();
    const client = new DynamoDBClient({ ...clientSettings, endpoint: stack.info.aws.dynamodb });
    const text = (await journalRows(client, stack.info.aws.tables['connected.Table'] ?? '')).join('\n');
    client.destroy();
    expect(text).toContain('fora_do_prazo');
    expect(text).not.toMatch(/cliente\.example|Joana|senha|texto-livre|aperta/);
  });
});
