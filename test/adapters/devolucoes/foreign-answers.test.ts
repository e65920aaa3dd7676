import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plant } from '../../support/emitted/record.ts';
import type { Answer } from '../../support/http-server.ts';
import { edited, newReturn, openWorld, problemOf, resetAfterwards } from './world.ts';

const { call, create, createApproved, effectsOf, requestsOf, newOrder, front, stack } = await openWorld();

const errorBody = (codigo: string) => JSON.stringify({ erro: { codigo, mensagem: 'Joana Prado, (11) 5550-0100' } });
const html = '<!doctype html><title>Manutenção</title><p>joana@cliente.example';

/** Returns the lines of the functions' log with a text, once there are some. */
const logged = async (text: string): Promise<readonly Record<string, unknown>[]> => {
  let lines: readonly string[] = [];
  await expect
    .poll(async () => {
      const log = await readFile(join(stack.dataDir, 'logs/connected.log'), 'utf8');
      lines = log.split('\n').filter((line) => line.includes(text));
      return lines.length;
    })
    .toBeGreaterThan(0);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('an answer of the service to a read', () => {
  it.each<readonly [string, Answer, number, string]>([
    ['404', { status: 404, body: errorBody('DEVOLUCAO_INEXISTENTE') }, 404, 'return_not_found'],
    ['404 with a page of HTML', { status: 404, body: html }, 404, 'return_not_found'],
    ['403 with a page of HTML', { status: 403, body: html }, 502, 'dependency_refused'],
    ['403', { status: 403, body: errorBody('ESCOPO_INSUFICIENTE') }, 502, 'dependency_refused'],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://elsewhere.example' }, body: '{}' },
      502,
      'dependency_refused',
    ],
    ['an unknown error with 200', { status: 200, body: errorBody('LIMITE_DIARIO') }, 502, 'dependency_refused'],
    [
      'an error of another operation with 200',
      { status: 200, body: errorBody('PEDIDO_INEXISTENTE') },
      502,
      'dependency_refused',
    ],
    ['an error without a code with 200', { status: 200, body: '{"erro":{}}' }, 502, 'dependency_refused'],
    ['a page of HTML with 200', { status: 200, body: html }, 502, 'dependency_refused'],
    ['no body with 200', { status: 200, body: '' }, 502, 'dependency_refused'],
    ['another object with 200', { status: 200, body: '{"senha":"7781-4410-marca"}' }, 502, 'dependency_refused'],
    ['a list with 200', { status: 200, body: '[]' }, 502, 'dependency_refused'],
  ])('%s becomes a named error', async (_, answer, status, code) => {
    const id = await create();
    front.meddle('GET', id, async () => answer);
    const received = await call.get(`/returns/${id}`);
    expect(problemOf(received)).toMatchObject({ status, code });
    expect(JSON.stringify(received.body)).not.toMatch(/erro"|Joana|joana|5550|DIARIO|Manuten|7781/);
  });

  it.each<readonly [string, number, Answer]>([
    ['500', 1, { status: 500, body: errorBody('ERRO_INTERNO') }],
    ['503 with HTML', 3, { status: 503, body: html }],
    ['a reset', 3, 'reset'],
  ])('%s is unavailable after %i attempts', async (_, attempts, answer) => {
    const id = await create();
    for (let attempt = 0; attempt < 3; attempt += 1) front.meddle('GET', id, async () => answer);
    expect(problemOf(await call.get(`/returns/${id}`))).toMatchObject({ status: 503, code: 'dependency_unavailable' });
    expect(requestsOf('GET', id)).toHaveLength(attempts);
    front.clear();
    expect((await call.get(`/returns/${id}`)).status).toBe(200);
    expect(requestsOf('GET', id)).toHaveLength(attempts + 1);
  });

  it.each<readonly [string, (body: Record<string, unknown>) => object, string]>([
    ['a time that is none', (body) => ({ ...body, criadaEm: 'ontem de marca 441077551' }), '/criadaEm'],
    [
      'an amount with three decimals',
      (body) => ({ ...body, itens: [{ ...(body['itens'] as object[])[0], valorPago: '1,005' }] }),
      '/itens/0/valorPago',
    ],
    ['a currency that does not exist', (body) => ({ ...body, moeda: 'XXQ' }), '/itens/0/valorPago'],
    [
      'a line without its quantity',
      (body) => ({ ...body, itens: [{ ...(body['itens'] as object[])[0], quantidade: '441077551' }] }),
      '/lines/0/quantities/requested',
    ],
    ['a return without an order', (body) => ({ ...body, pedido: { numero: 441077551 } }), '/order/orderId'],
    ['no lines', (body) => ({ ...body, itens: undefined }), ''],
  ])('with %s is 502 with the place, and never with the value', async (_, edit, path) => {
    const id = await create();
    front.meddle('GET', id, edited(edit));
    const { status, body } = await call.get(`/returns/${id}`);
    expect(problemOf({ status, body })).toMatchObject({ status: 502, code: 'dependency_refused', errors: [{ path }] });
    expect(JSON.stringify(body)).not.toContain('441077551');
  });

  it('loses members that the contract does not have', async () => {
    const marks = ['unknown.person@cliente.example', 'senha-de-uso-unico-77814410'];
    plant(marks);
    const [email, password] = marks;
    const id = await create();
    const other = { senhaTemporaria: password, contato: { email }, customerId: email, metadata: { email } };
    front.meddle(
      'GET',
      id,
      edited((body) => ({ ...body, ...other, pedido: { ...(body['pedido'] as object), ...other } })),
    );
    front.meddle(
      'POST',
      '/aprovacao',
      edited((body) => ({ ...body, ...other })),
    );
    for (const { status, body } of [await call.get(`/returns/${id}`), await call.post(`/returns/${id}/approve`, {})]) {
      expect(status).toBe(200);
      for (const mark of marks) expect(JSON.stringify(body)).not.toContain(mark);
    }
  });
});

describe('an answer of the service to a command', () => {
  it.each<readonly [string, Answer, number, string]>([
    ['409 without a body', { status: 409, body: '' }, 502, 'dependency_refused'],
    ['409', { status: 409, body: errorBody('SITUACAO_INVALIDA') }, 409, 'invalid_transition'],
    ['200 with an error', { status: 200, body: errorBody('SITUACAO_INVALIDA') }, 409, 'invalid_transition'],
    ['200 with an unknown error', { status: 200, body: errorBody('LIMITE_DIARIO') }, 502, 'dependency_refused'],
    ['422', { status: 422, body: errorBody('CAMPO_INVALIDO') }, 502, 'dependency_refused'],
  ])('%s is an error without an effect, and frees its key', async (_, answer, status, code) => {
    const id = await create();
    const options = { key: `key-${id}` };
    front.meddle('POST', '/aprovacao', async () => answer);
    expect(problemOf(await call.post(`/returns/${id}/approve`, {}, options))).toMatchObject({ status, code });
    // With its key used, another request would be 422.
    expect((await call.post(`/returns/${id}/cancel`, {}, options)).status).toBe(200);
    expect(effectsOf(id)).toEqual(['ABERTA', 'CANCELADA']);
  });

  it.each<readonly [string, Answer]>([
    ['HTML with 200', { status: 200, body: html }],
    ['no body with 200', { status: 200, body: '' }],
    ['another object with 200', { status: 200, body: '{}' }],
  ])('%s leaves the effect to a read', async (_, answer) => {
    const id = await create();
    front.meddle('POST', '/aprovacao', async (forward) => {
      await forward();
      return answer;
    });
    const { status, body } = await call.post(`/returns/${id}/approve`, {});
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'approved' } });
    expect(effectsOf(id)).toEqual(['ABERTA', 'APROVADA']);
  });

  it('that fails later is an error without an effect, and frees its key', async () => {
    const id = await createApproved();
    const options = { key: `key-${id}` };
    const receive = (quantity: number) =>
      call.post(`/returns/${id}/receipts`, { lines: [{ lineId: '1', quantity }] }, options);
    expect(problemOf(await receive(3))).toEqual({ status: 422, code: 'quantity_exceeds_returnable' });
    expect((await receive(2)).body).toMatchObject({ status: 'received' });
    expect(effectsOf(id)).toEqual(['ABERTA', 'APROVADA', 'RECEBIDA']);
  });

  it('that fails later without a known reason is 502', async () => {
    const id = await createApproved();
    const failed = { protocolo: 'p1', situacao: 'FALHOU' };
    front.meddle('POST', '/recebimento', async () => ({ status: 202, body: '{"protocolo":"p1"}' }));
    front.meddle('GET', '/protocolos/p1', async () => ({ status: 200, body: JSON.stringify(failed) }));
    const answer = await call.post(`/returns/${id}/receipts`, { lines: [{ lineId: '1', quantity: 2 }] });
    expect(problemOf(answer)).toMatchObject({ status: 502, code: 'dependency_refused' });
  });
});

describe('a state that no release of the adapter knows', () => {
  it('is logged and counted, and ends in an answer without actions', async () => {
    const word = `EM_ANALISE_${randomBytes(4).toString('hex').toUpperCase()}`;
    const id = await create();
    front.meddle(
      'GET',
      id,
      edited((body) => ({ ...body, situacao: word })),
    );
    const { status, body } = await call.get(`/returns/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'requested', externalStatus: word, allowedActions: [] });
    const [line] = await logged(word);
    expect(line).toMatchObject({ level: 'warn', message: 'state unknown', operation: 'getReturn', state: word });
    // The word is no dimension: the service chooses it.
    const metrics = (await logged('UnknownState')).map((metric) => JSON.stringify(metric));
    expect(metrics.join('\n')).not.toContain(word);
  });

  it('is cut where it is long', async () => {
    const id = await create();
    front.meddle(
      'GET',
      id,
      edited((body) => ({ ...body, situacao: 'X'.repeat(5_000) })),
    );
    expect((await call.get(`/returns/${id}`)).body).toMatchObject({ externalStatus: 'X'.repeat(100) });
  });

  it('is not found by a repeat that reads: its effect is unknown', async () => {
    const id = await create();
    front.meddle('POST', '/aprovacao', resetAfterwards);
    front.meddle(
      'GET',
      id,
      edited((body) => ({ ...body, situacao: 'EM_ANALISE_FISCAL' })),
    );
    expect(problemOf(await call.post(`/returns/${id}/approve`, {}))).toMatchObject({ status: 504, code: 'timeout' });
  });
});

describe('an error that no release of the adapter knows', () => {
  it('is logged with its word, and with no text of the service', async () => {
    const word = `LIMITE_${randomBytes(4).toString('hex').toUpperCase()}`;
    front.meddle('POST', '/devolucoes', async () => ({ status: 200, body: errorBody(word) }));
    expect(problemOf(await call.post('/returns', newReturn(newOrder())))).toMatchObject({ status: 502 });
    const [line] = await logged(word);
    expect(line).toMatchObject({
      message: 'error of the service not mapped',
      operation: 'createReturn',
      status: 200,
      word,
    });
    expect(JSON.stringify(line)).not.toMatch(/Joana|5550/);
  });
});
