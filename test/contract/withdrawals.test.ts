import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { orderPath, shopOrder } from '../support/scenario.ts';

const unknown = '/withdrawals/wdr_00000000000000000000000000';

/** A declaration that no other test makes. */
const declaration = (changes: object = {}) => {
  const own = randomUUID();
  return { name: `Ada ${own}`, email: `ada-${own}@example.com`, contract: `#${own}`, ...changes };
};

type Declared = Output<'declareWithdrawal'>;
type Withdrawal = Output<'getWithdrawal'>;

describe.each(contractModes(import.meta.filename))('%s withdrawals', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contractApi(mode);
  });
  const reader = { client: 'returns-reader' };

  const declare = async (body: object = declaration()) => {
    const answer = await service.post('/withdrawals', body);
    const declared = answer.body as unknown as Declared;
    return { answer, declared, path: `/withdrawals/${declared.withdrawalId}` };
  };
  const read = async (path: string) => (await service.get(path, reader)).body as unknown as Withdrawal;

  /** Registers an order of its own, and returns its reference. */
  const registered = async (facts: object = {}) => {
    const order = { platform: 'web', orderId: randomUUID() };
    await service.put(orderPath(order), shopOrder(facts), { headers: { 'if-none-match': '*' } });
    return order;
  };

  it('stores a declaration without a known order, with its receipt', async () => {
    const body = declaration({ lines: 'two shirts', platform: 'web', language: 'de', timeZone: 'Europe/Berlin' });
    const { answer, declared, path } = await declare(body);
    expect(answer).toMatchObject({
      status: 201,
      body: { receipt: { status: 'due', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), keyId: 'first' }, version: 2 },
    });
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([`/v1${path}`, '"2"']);
    const { name, email, contract, lines } = body as Withdrawal['declaration'] & object;
    expect(await read(path)).toEqual({
      withdrawalId: declared.withdrawalId,
      status: 'declared',
      declaredAt: declared.declaredAt,
      declaration: { name, email, contract, lines },
      platform: 'web',
      language: 'de',
      timeZone: 'Europe/Berlin',
      receipt: declared.receipt,
      createdAt: declared.declaredAt,
      updatedAt: declared.declaredAt,
      version: 2,
    });
  });

  it('names the language of the receipt, also for an equal declaration and for a repeat', async () => {
    const body = declaration({});
    const send = async (key: string, languages: string) =>
      (await service.post('/withdrawals', body, { key, headers: { 'accept-language': languages } })).headers;
    const key = randomUUID();
    const answers = [await send(key, 'de'), await send(key, 'de'), await send(randomUUID(), 'fr')];
    expect(answers.map((headers) => headers.get('content-language'))).toEqual(['de', 'de', 'de']);
    expect(answers.map((headers) => headers.get('vary'))).toEqual(Array(3).fill('Accept-Language'));
  });

  it('returns the receipt, whose hash is that of the declaration', async () => {
    const body = declaration({ language: 'fr', timeZone: 'Europe/Lisbon' });
    const { declared, path } = await declare(body);
    const found = await service.get(`${path}/receipt`, reader);
    const receipt = found.body as unknown as Output<'getWithdrawalReceipt'>;
    expect(createHash('sha256').update(receipt.jws).digest('hex')).toBe(declared.receipt.sha256);
    expect(receipt).toMatchObject({
      keyId: 'first',
      sha256: declared.receipt.sha256,
      language: 'fr',
      payload: {
        jti: declared.withdrawalId,
        timeZone: 'Europe/Lisbon',
        content: { name: body.name, email: body.email, contract: body.contract },
        chain: { sequence: 1 },
      },
    });
    expect(receipt.text).toContain(receipt.jws);
    expect(receipt.html).toContain('<html lang="fr">');
    expect((await service.get(`${path}/receipt`, reader)).body).toEqual(found.body);
  });

  it('uses the language of Accept-Language, and UTC for an unknown time zone', async () => {
    const headers = { 'accept-language': 'pt-BR, en;q=0.5' };
    const answer = await service.post('/withdrawals', declaration({ timeZone: 'Mars/Base' }), { headers });
    const { withdrawalId } = answer.body as unknown as Declared;
    expect(await read(`/withdrawals/${withdrawalId}`)).toMatchObject({ language: 'pt', timeZone: 'UTC' });
  });

  it('returns a response of the same form, whether or not an order is known', async () => {
    const order = await registered();
    const [known, other] = [
      await declare(declaration({ contract: order.orderId, platform: 'web' })),
      await declare(declaration({ platform: 'web' })),
    ];
    const formOf = (body: object) => JSON.stringify(body).replaceAll(/[0-9a-f]{64}|wdr_\w{26}|\d{4}-[^"]+Z/g, '*');
    expect(formOf(known.declared)).toBe(formOf(other.declared));
    expect([...known.answer.headers.keys()]).toEqual([...other.answer.headers.keys()]);
    expect((await read(known.path)).status).toBe('declared');
  });

  it('answers a double with the first withdrawal, without a second row', async () => {
    const body = declaration({ lines: 'one shirt' });
    const first = await declare(body);
    const same = { ...body, name: ` ${body.name.toUpperCase()}\t`, lines: 'One  shirt' };
    const second = await declare(same);
    expect([second.answer.status, second.declared]).toEqual([200, first.declared]);
    expect((await declare({ ...body, lines: 'two shirts' })).declared.withdrawalId).not.toBe(
      first.declared.withdrawalId,
    );
    const key = randomUUID();
    const once = await service.post('/withdrawals', same, { key });
    const again = await service.post('/withdrawals', same, { key });
    expect([once.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 200, 'true']);
    expect(again.body).toEqual(once.body);
  });

  it('answers a double with the same bytes after a match and a sent receipt', async () => {
    const body = declaration();
    const first = await declare(body);
    expect((await service.post(`${first.path}/match`, { order: await registered() })).status).toBe(200);
    const sent = { sentAt: new Date().toISOString(), channel: 'email' };
    expect((await service.post(`${first.path}/receipt/sent`, sent)).status).toBe(200);
    const second = await declare(body);
    expect([second.answer.status, second.answer.headers.get('etag')]).toEqual([200, '"2"']);
    expect(JSON.stringify(second.answer.body)).toBe(JSON.stringify(first.answer.body));
  });

  it('stores one withdrawal for concurrent equal declarations with different keys', async () => {
    const body = declaration();
    const all = await Promise.all(Array.from({ length: 6 }, async () => declare(body)));
    expect(new Set(all.map(({ declared }) => declared.withdrawalId)).size).toBe(1);
    expect(all.filter(({ answer }) => answer.status === 201)).toHaveLength(1);
  });

  it('repeats the response of a key, rejects another request with it, and stores nothing in a dry run', async () => {
    const [body, key] = [declaration(), randomUUID()];
    const first = await service.post('/withdrawals', body, { key });
    const again = await service.post('/withdrawals', body, { key });
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([201, first.body, 'true']);
    expect(await service.post('/withdrawals', declaration(), { key })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await service.post('/withdrawals', declaration(), { key: null })).toMatchObject({ status: 400 });
    expect(await service.post('/withdrawals', declaration(), reader)).toMatchObject({ status: 403 });
    const trial = await service.post('/withdrawals?dryRun=true', declaration(), { key: null });
    expect(trial.status).toBe(201);
    const { withdrawalId } = trial.body as unknown as Declared;
    expect(await service.get(`/withdrawals/${withdrawalId}`)).toMatchObject({
      status: 404,
      body: { code: 'withdrawal_not_found', errors: [{ path: '/withdrawalId' }] },
    });
  });

  it.each([
    [{ name: '' }, '/name'],
    [{ name: 'a'.repeat(201) }, '/name'],
    [{ email: 'ada' }, '/email'],
    [{ email: 'ada@@example.com' }, '/email'],
    [{ email: `${'a'.repeat(310)}@example.com` }, '/email'],
    [{ contract: 'c'.repeat(201) }, '/contract'],
    [{ lines: 'l'.repeat(2001) }, '/lines'],
    [{ language: 'it' }, '/language'],
    [{ reason: 'too small' }, '/reason'],
    [{ declaredAt: '2026-11-01T00:00:00Z' }, '/source'],
    [{ source: { platform: 'web', externalId: '1' } }, '/declaredAt'],
    [{ declaredAt: '1999-01-01T00:00:00Z', source: { platform: 'web', externalId: '1' } }, '/declaredAt'],
    [{ declaredAt: '2999-01-01T00:00:00Z', source: { platform: 'web', externalId: '1' } }, '/declaredAt'],
  ])('returns 400 for %j, without the texts of the consumer', async (changes, path) => {
    const body = { ...declaration(), ...changes };
    const answer = await service.post('/withdrawals', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
    expect(JSON.stringify(answer.body)).not.toMatch(/ada-|Ada /);
  });

  it('takes the time of a platform, once for each fact, from its integration only', async () => {
    const source = { platform: 'web', externalId: randomUUID() };
    const fact = declaration({ declaredAt: '2026-11-01T08:00:00+01:00', source });
    const writer = { client: 'returns-writer' };
    expect(await service.post('/withdrawals', fact, writer)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', errors: [{ path: '/declaredAt' }] },
    });
    const { answer, declared, path } = await declare(fact);
    expect([answer.status, declared.declaredAt]).toEqual([201, '2026-11-01T07:00:00.000Z']);
    expect(await read(path)).toMatchObject({ source });
    await service.post(`${path}/withdraw`, { reason: 'mistake' });
    const again = await declare(declaration({ declaredAt: '2026-11-01T07:00:00Z', source }));
    expect([again.answer.status, again.declared.withdrawalId]).toEqual([200, declared.withdrawalId]);
  });

  it('lists withdrawals by status, receipt and period, the newest first, without personal data', async () => {
    const [first, second, third] = [await declare(), await declare(), await declare()];
    await service.post(`${second.path}/withdraw`, { reason: 'mistake' });
    await service.post(`${third.path}/receipt/sent`, { sentAt: new Date().toISOString(), channel: 'email' });
    const own = [third, second, first].map(({ declared }) => declared.withdrawalId);
    const { createdAt: from } = await read(first.path);
    const listed = async (query: string): Promise<readonly string[]> => {
      const found: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const answer = await service.get(`/withdrawals?limit=2&from=${from}&${query}${next}`, reader);
        const page = answer.body as unknown as Output<'listWithdrawals'>;
        expect(JSON.stringify(page)).not.toMatch(/Ada |@example/);
        found.push(...page.items.map(({ withdrawalId }) => withdrawalId));
        cursor = page.nextCursor;
      }
      return found.filter((id) => own.includes(id));
    };
    await expect.poll(async () => listed('')).toEqual(own);
    expect(await listed('status=withdrawn')).toEqual([own[1]]);
    expect(await listed('receipt=sent')).toEqual([own[0]]);
    expect(await listed('status=declared&receipt=due')).toEqual([own[2]]);
    expect(await listed(`to=${from}`)).toEqual([]);
    const { updatedAt } = await read(third.path);
    expect(await listed(`sort=updatedAt&updatedFrom=${updatedAt}`)).toEqual([own[0]]);
    expect(await service.get('/withdrawals?cursor=x')).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });

  it('lists the texts of the consumers on request, and until when to act', async () => {
    const body = declaration({ lines: 'two shirts' });
    const [{ declared, path }, ended] = [await declare(body), await declare()];
    await service.post(`${ended.path}/withdraw`, { reason: 'mistake' });
    const { createdAt: from } = await read(path);
    const listed = async (query: string) => {
      const { items } = (await service.get(`/withdrawals?from=${from}${query}`, reader))
        .body as unknown as Output<'listWithdrawals'>;
      return items.find(({ withdrawalId }) => withdrawalId === declared.withdrawalId);
    };
    await expect.poll(async () => listed('')).toBeDefined();
    const { name, email, contract, lines } = body as Withdrawal['declaration'] & object;
    expect((await listed('&include=declaration'))?.declaration).toEqual({ name, email, contract, lines });
    const [known, days] = [await listed(''), 14 * 86_400_000];
    expect(known?.declaration).toBeUndefined();
    expect(Date.parse(known?.dueBy ?? '') - Date.parse(declared.declaredAt)).toBe(days);
    const { items } = (await service.get(`/withdrawals?status=withdrawn&from=${from}`, reader))
      .body as unknown as Output<'listWithdrawals'>;
    expect(items.filter(({ dueBy }) => dueBy !== undefined)).toEqual([]);
  });

  it('records once that the receipt was sent', async () => {
    const { path } = await declare();
    const sentAt = new Date().toISOString();
    const report = { sentAt, channel: 'email', reference: 'msg_1' };
    const sent = await service.post(`${path}/receipt/sent`, report);
    expect(sent).toMatchObject({ status: 200, body: { receipt: { status: 'sent', sent: report }, version: 3 } });
    expect(sent.body).not.toHaveProperty('declaration');
    expect(await service.post(`${path}/receipt/sent`, report)).toMatchObject({ status: 200, body: { version: 3 } });
    const other = { ...report, channel: 'letter' };
    expect(await service.post(`${path}/receipt/sent`, other)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    const fresh = await declare();
    for (const wrong of ['2999-01-01T00:00:00Z', '2020-01-01T00:00:00Z'])
      expect(await service.post(`${fresh.path}/receipt/sent`, { ...report, sentAt: wrong })).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/sentAt' }] },
      });
  });

  it('matches a declaration to a registered order, and answers it', async () => {
    const order = await registered({ country: 'US' });
    const { path } = await declare();
    const lines = [{ orderLineId: '11', quantity: 1 }];
    const rejected = async (body: object) => {
      const { status, body: problem } = await service.post(`${path}/match`, body);
      return [status, problem.code, problem.errors?.[0]?.path];
    };
    expect(await rejected({ order: { ...order, orderId: 'none' } })).toEqual([404, 'order_not_found', '/order']);
    expect(await rejected({ order, lines: [{ orderLineId: 'none', quantity: 1 }] })).toEqual([
      404,
      'order_line_not_found',
      '/lines/0/orderLineId',
    ]);
    expect(await rejected({ order, lines: [{ orderLineId: '11', quantity: 100 }] })).toEqual([
      422,
      'quantity_exceeds_returnable',
      '/lines/0/quantity',
    ]);
    expect(await rejected({ order, lines: [...lines, ...lines] })).toEqual([
      400,
      'invalid_request',
      '/lines/1/orderLineId',
    ]);
    const given = {
      answer: 'no_right',
      law: 'EU 2011/83',
      rule: '2011/83/EU#16.e',
      source: 'https://eur-lex.europa.eu/eli/dir/2011/83/oj',
      note: 'marker: opened',
    };
    expect(await service.post(`${path}/answer`, given)).toMatchObject({ status: 409 });
    const stale = { headers: { 'if-match': '"1"' } };
    expect(await service.post(`${path}/match`, { order, lines }, stale)).toMatchObject({ status: 412 });
    const matched = await service.post(`${path}/match`, { order, lines });
    expect(matched).toMatchObject({ status: 200, body: { status: 'matched', match: { order, lines }, version: 3 } });
    expect(await service.post(`${path}/match`, { order, lines })).toMatchObject({ status: 200, body: { version: 3 } });
    const whole = await service.post(`${path}/match`, { order });
    expect(whole).toMatchObject({ status: 200, body: { status: 'matched', match: { order }, version: 4 } });
    expect(JSON.stringify(whole.body)).not.toContain('"lines"');
    const answered = await service.post(`${path}/answer`, given);
    const { note, ...shown } = given;
    expect(answered).toMatchObject({ status: 200, body: { status: 'answered', answer: shown, version: 5 } });
    expect(JSON.stringify(answered.body)).not.toContain('marker');
    expect((await read(path)).answer).toMatchObject({ ...shown, note });
    expect(await service.post(`${path}/withdraw`, { reason: 'mistake' })).toMatchObject({ status: 409 });
  });

  it('withdraws a declaration made by mistake, after which the same may be declared again', async () => {
    const body = declaration();
    const { path, declared } = await declare(body);
    expect(await service.post(`${path}/withdraw`, {})).toMatchObject({ status: 400 });
    const withdrawn = await service.post(`${path}/withdraw`, { reason: 'mistake' });
    expect(withdrawn).toMatchObject({ status: 200, body: { status: 'withdrawn', withdrawn: { reason: 'mistake' } } });
    expect(await service.post(`${path}/withdraw`, { reason: 'mistake' })).toMatchObject({ body: { version: 3 } });
    const again = await declare(body);
    expect([again.answer.status, again.declared.withdrawalId === declared.withdrawalId]).toEqual([201, false]);
  });

  it('returns 404 for an unknown withdrawal, and 403 for a reader who writes', async () => {
    const commands = { match: { order: { platform: 'web', orderId: '1' } }, withdraw: { reason: 'mistake' } };
    for (const [command, body] of Object.entries(commands)) {
      expect(await service.post(`${unknown}/${command}`, body)).toMatchObject({
        status: 404,
        body: { code: 'withdrawal_not_found' },
      });
      expect(await service.post(`${unknown}/${command}`, body, reader)).toMatchObject({ status: 403 });
    }
    for (const path of [unknown, `${unknown}/receipt`])
      expect(await service.get(path)).toMatchObject({ status: 404, body: { code: 'withdrawal_not_found' } });
  });
});
