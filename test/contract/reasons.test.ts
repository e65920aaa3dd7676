import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { builtInReasons } from '../../lib/domain/returns/rules/reasons.ts';
import type { Answer } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { announcementOf } from '../support/attachments.ts';
import { ownCode, reasonFacts } from '../support/reasons.ts';
import { registerOrder, returnOf, shirts } from '../support/scenario.ts';

type Listed = Output<'listReasons'>['items'];

describe.each(contractModes(import.meta.filename))('%s reasons', (mode) => {
  const service = contractApi(mode);
  const listed = async (query = ''): Promise<Listed> =>
    ((await service.get(`/reasons${query}`, { client: 'returns-reader' })).body as unknown as Output<'listReasons'>)
      .items;
  const create = async (code: string, facts: object = {}): Promise<Answer> =>
    service.put(`/reasons/${code}`, { ...reasonFacts, ...facts }, { headers: { 'if-none-match': '*' } });
  const replace = async (code: string, version: number, facts: object = {}): Promise<Answer> =>
    service.put(`/reasons/${code}`, { ...reasonFacts, ...facts }, { headers: { 'if-match': `"${version}"` } });

  it('are the built-in ones before any change, by code, on one page', async () => {
    const { status, body, headers } = await service.get('/reasons');
    expect({ status, etag: headers.get('etag') }).toEqual({ status: 200, etag: null });
    const { items, nextCursor } = body as unknown as Output<'listReasons'>;
    expect(nextCursor).toBeNull();
    expect(items.map(({ code }) => code)).toEqual(items.map(({ code }) => code).toSorted());
    const canonical = items.filter(({ code }) => builtInReasons.has(code));
    expect(canonical).toHaveLength(26);
    expect(canonical.every(({ version, active }) => version === 0 && active)).toBe(true);
    expect(canonical).toContainEqual({
      code: 'delivery.late',
      group: 'delivery',
      labels: {
        en: 'Arrived too late',
        pt: 'Chegou tarde demais',
        es: 'Llegó demasiado tarde',
        de: 'Zu spät geliefert',
        fr: 'Livré trop tard',
      },
      fault: 'carrier',
      noteRequired: false,
      evidenceRequired: false,
      resolutions: ['refund', 'exchange', 'store_credit', 'repair', 'none'],
      active: true,
      version: 0,
    });
  });

  it('are created once, and replaced at the version of If-Match', async () => {
    const code = ownCode();
    const created = await create(code);
    expect(created).toMatchObject({ status: 201, body: { code, group: 'own', ...reasonFacts, version: 1 } });
    expect(created.headers.get('etag')).toBe('"1"');
    expect(created.headers.get('location')).toBeNull();
    expect(await create(code)).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
    const replaced = await replace(code, 1, { active: false, labels: { de: 'Fällt klein aus' } });
    expect(replaced).toMatchObject({ status: 200, body: { version: 2, active: false } });
    expect(replaced.headers.get('etag')).toBe('"2"');
    expect(await replace(code, 1)).toMatchObject({
      status: 412,
      body: { code: 'version_mismatch', errors: [{ path: 'header:If-Match', code: 'version' }] },
    });
    expect((await listed()).find((reason) => reason.code === code)).toEqual(replaced.body);
  });

  it('return 412 when If-Match names a missing reason', async () => {
    expect(await replace(ownCode(), 1)).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
  });

  it('are listed as active or as inactive', async () => {
    const [activeCode, inactiveCode] = [ownCode(), ownCode()];
    await create(activeCode);
    await create(inactiveCode, { active: false });
    const codes = async (query: string) => (await listed(query)).map(({ code }) => code);
    expect(await codes('?active=true')).toEqual(expect.arrayContaining([activeCode, 'other']));
    expect(await codes('?active=true')).not.toContain(inactiveCode);
    expect(await codes('?active=false')).toContain(inactiveCode);
    expect(await codes('?active=false')).not.toContain(activeCode);
  });

  it('need an admin, and a precondition', async () => {
    const path = `/reasons/${ownCode()}`;
    const headers = { 'if-none-match': '*' };
    expect(await service.put(path, reasonFacts, { headers, client: 'returns-writer' })).toMatchObject({ status: 403 });
    expect(await service.put(path, reasonFacts)).toMatchObject({
      status: 428,
      body: { code: 'precondition_required', errors: [{ path: 'header:If-Match', code: 'required' }] },
    });
    expect(await service.put(path, reasonFacts, { headers: { ...headers, 'if-match': '"1"' } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: 'header:If-None-Match' }] },
    });
    const trial = await service.put(`${path}?dryRun=true`, reasonFacts, { headers });
    expect(trial).toMatchObject({ status: 201, body: { version: 1 } });
    expect(await service.put(path, reasonFacts, { headers })).toMatchObject({ status: 201, body: { version: 1 } });
  });

  it.each([
    ['a label in an unknown language', { labels: { english: 'Runs small' } }, '/labels/english'],
    ['no label', { labels: {} }, '/labels'],
    ['an empty label', { labels: { en: '' } }, '/labels/en'],
    ['a label that is too long', { labels: { en: 'x'.repeat(201) } }, '/labels/en'],
    ['an unknown fault', { fault: 'weather' }, '/fault'],
    ['no resolutions', { resolutions: [] }, '/resolutions'],
    ['an unknown resolution', { resolutions: ['magic'] }, '/resolutions/0'],
    ['a duplicate resolution', { resolutions: ['refund', 'refund'] }, '/resolutions'],
    ['a missing field', { active: undefined }, '/active'],
  ])('return 400 for %s', async (_, facts, path) => {
    const answer = await create(ownCode(), facts);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.errors.map((fieldError) => fieldError.path)).toContain(path);
  });

  it('accept a label for every language tag', async () => {
    const labels = { en: 'a', 'pt-BR': 'b', 'zh-Hant-TW': 'c', 'es-419': 'd', 'sl-rozaj': 'e', 'de-CH-1901': 'f' };
    expect(await create(ownCode(), { labels })).toMatchObject({ status: 201, body: { labels } });
  });

  it('are valid for lines from their creation until they are inactive', async () => {
    const code = ownCode();
    const order = await registerOrder(service);
    const request = returnOf(order, 1, { lines: [shirts(1, { reason: { code } })] });
    expect(await service.post('/returns', request)).toMatchObject({
      status: 422,
      body: { code: 'reason_unknown', errors: [{ path: '/lines/0/reason/code', code: 'unknown' }] },
    });
    await create(code);
    expect(await service.post('/returns', request)).toMatchObject({
      status: 201,
      body: { lines: [{ reason: { code } }] },
    });
    await replace(code, 1, { active: false });
    const rejected = await service.post('/returns', request);
    expect(rejected).toMatchObject({ status: 422, body: { code: 'reason_unknown' } });
    const [fieldError] = rejected.body.errors;
    expect(fieldError?.message).toMatch(/^must be one of /);
    expect(fieldError?.message).not.toContain(code);
  });

  it('may require a note with the request', async () => {
    const code = ownCode();
    await create(code, { noteRequired: true });
    const order = await registerOrder(service);
    const lines = (note: object) => ({ lines: [shirts(1), shirts(1, { reason: { code, ...note } })] });
    expect(await service.post('/returns', returnOf(order, 1, lines({})))).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/lines/1/reason/note', code: 'required' }] },
    });
    const noted = lines({ note: 'marker-note: the zip' });
    expect(await service.post('/returns', returnOf(order, 1, noted))).toMatchObject({ status: 201 });
  });

  it('may restrict the resolutions', async () => {
    const code = ownCode();
    await create(code, { resolutions: ['exchange', 'repair'] });
    const order = await registerOrder(service);
    const createWith = async (more: object) =>
      service.post('/returns', returnOf(order, 1, { lines: [shirts(1, { reason: { code }, ...more })] }));
    for (const more of [{}, { resolution: 'refund' }])
      expect(await createWith(more)).toMatchObject({
        status: 422,
        body: {
          code: 'resolution_not_allowed',
          errors: [
            { path: '/lines/0/resolution', code: 'enum', message: `must be one of exchange, repair with ${code}` },
          ],
        },
      });
    expect(await createWith({ resolution: 'repair' })).toMatchObject({
      status: 201,
      body: { lines: [{ resolution: 'repair' }] },
    });
  });

  it('may require evidence before a line is approved', async () => {
    const code = ownCode();
    await create(code, { evidenceRequired: true });
    const order = await registerOrder(service);
    const lines = [shirts(1), shirts(1, { reason: { code } })];
    const { body } = await service.post('/returns', returnOf(order, 1, { lines }));
    expect(body).toMatchObject({ lines: [{}, { evidenceRequired: true }] });
    expect(body.lines[0]).not.toHaveProperty('evidenceRequired');
    const path = `/returns/${body.returnId}`;
    // The request fixed the required evidence.
    await replace(code, 1);
    expect(await service.post(`${path}/approve`)).toMatchObject({
      status: 422,
      body: { code: 'evidence_required', errors: [{ path: '/lines', code: 'evidence' }] },
    });
    const [free, bound] = body.lines.map(({ lineId: id }) => id);
    const named = [
      { lineId: free, quantity: 1 },
      { lineId: bound, quantity: 1 },
    ];
    expect(await service.post(`${path}/approve`, { lines: named })).toMatchObject({
      status: 422,
      body: { code: 'evidence_required', errors: [{ path: '/lines/1', code: 'evidence' }] },
    });
    // An attachment of another line is no evidence for this line.
    const attach = async (lineId: string | undefined) =>
      service.post(`${path}/attachments`, announcementOf(Buffer.from('a picture'), { lineId }));
    await attach(free);
    expect(await service.post(`${path}/approve?dryRun=true`, {}, { key: null })).toMatchObject({ status: 422 });
    await attach(bound);
    expect(await service.post(`${path}/approve`)).toMatchObject({ status: 200, body: { status: 'approved' } });
  });

  it('that require evidence block the approval in the allowed actions, except with an override', async () => {
    const code = ownCode();
    await create(code, { evidenceRequired: true });
    const lines = [shirts(1, { reason: { code } })];
    const { body } = await service.post('/returns', returnOf(await registerOrder(service), 1, { lines }));
    expect(body.allowedActions).toContainEqual({
      action: 'approve',
      scope: 'returns:admin',
      allowed: true,
      overrides: ['evidence_required'],
    });
    const named = [
      { lineId: body.lines[0]?.lineId, quantity: 1, override: { reason: 'marker-note: seen in the shop' } },
    ];
    expect(await service.post(`/returns/${body.returnId}/approve`, { lines: named })).toMatchObject({
      status: 200,
      body: { status: 'approved', decision: { overridden: true } },
    });
  });

  it('that require evidence cause a discrepancy when a platform approved without it', async () => {
    const code = ownCode();
    await create(code, { evidenceRequired: true });
    const order = await registerOrder(service);
    const observed = { platform: 'shopify', externalId: '1', occurredAt: '2026-11-20T08:00:00Z' };
    const createDecided = async (status: string) =>
      service.post('/returns', {
        ...returnOf(order, 1, { managedBy: 'platform', observed: { ...observed, status } }),
        lines: [shirts(1, { reason: { code } })],
      });
    const found = { status: 'approved', discrepancies: [{ code: 'evidence_required' }] };
    expect(await createDecided('approved')).toMatchObject({ status: 201, body: found });
    const { body } = await createDecided('requested');
    expect(await service.post(`/returns/${body.returnId}/approve`, { observed })).toMatchObject({
      status: 200,
      body: found,
    });
  });

  it('that are inactive are accepted from a platform, but unknown ones are not', async () => {
    const code = ownCode();
    await create(code, { active: false, noteRequired: true, resolutions: ['repair'] });
    const order = await registerOrder(service);
    const observed = { platform: 'shopify', externalId: '1', occurredAt: '2026-11-20T08:00:00Z' };
    const createFor = async (reason: string) =>
      service.post('/returns', {
        ...returnOf(order, 1, { managedBy: 'platform', observed }),
        lines: [shirts(1, { reason: { code: reason } })],
      });
    expect(await createFor(code)).toMatchObject({ status: 201 });
    expect(await createFor(ownCode())).toMatchObject({ status: 422, body: { code: 'reason_unknown' } });
  });
});
