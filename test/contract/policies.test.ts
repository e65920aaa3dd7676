import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { api, type Api } from '../support/api.ts';
import { contractModes } from '../support/contract-api.ts';
import { sharedStack } from '../support/own-stack.ts';
import { beginDraft, createPolicy, documentFor, publishedPolicy, ifRevision, versionIn } from '../support/policies.ts';

const stack = await sharedStack();

describe.each(contractModes(import.meta.filename))('%s policies', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = api(mode, stack.info);
  });

  describe('createPolicy', () => {
    it('creates a draft that decides nothing', async () => {
      const document = documentFor();
      const created = await service.post('/policies', { name: 'Germany', document, note: 'as agreed' });
      expect(created).toMatchObject({
        status: 201,
        body: { version: 1, status: 'draft', revision: 1, document, note: 'as agreed' },
      });
      const { policyId, createdBy } = versionIn(created);
      expect(createdBy.clientId).toBe(mode === 'standalone' ? 'returns-admin' : 'returns-integration');
      expect(created.headers.get('etag')).toBe('"1"');
      expect(created.headers.get('location')).toBe(`/v1/policies/${policyId}/versions/1`);
      const policy = await service.get(`/policies/${policyId}`, { client: 'returns-reader' });
      expect(policy.body).toEqual({
        policyId,
        name: 'Germany',
        revision: 1,
        latest: 1,
        draft: 1,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      expect(policy.headers.get('etag')).toBe('"1"');
      expect((await service.get(`/policies/${policyId}/versions/1`)).body).toEqual(created.body);
    });

    it('accepts a template, which is ready to publish', async () => {
      const { policyId } = versionIn(await service.post('/policies', { name: 'Standard', template: 'standard' }));
      const linted = await service.post(`/policies/${policyId}/draft/lint`, undefined, { key: null });
      expect(linted).toMatchObject({ status: 200, body: { version: 1, revision: 1, findings: [] } });
      const tested = await service.post(`/policies/${policyId}/draft/test`, undefined, { key: null });
      expect(tested).toMatchObject({ status: 200, body: { passed: true } });
      // Both modes share the table, so only one of them could publish it for all orders.
      const trial = await service.post(`/policies/${policyId}/publish?dryRun=true`, {}, { key: null });
      expect(trial).toMatchObject({ status: 200, body: { status: 'published', warnings: [] } });
    });

    it('requires an Idempotency-Key and supports dryRun', async () => {
      const request = { name: 'Germany', document: documentFor() };
      expect(await service.post('/policies', request, { client: 'returns-reader' })).toMatchObject({ status: 403 });
      expect(await service.post('/policies', request, { key: null })).toMatchObject({
        body: { code: 'idempotency_key_required' },
      });
      const trial = await service.post('/policies?dryRun=true', request, { key: null });
      expect(trial).toMatchObject({ status: 201, body: { version: 1 } });
      expect(await service.get(`/policies/${versionIn(trial).policyId}`)).toMatchObject({
        status: 404,
        body: { code: 'policy_not_found', errors: [{ path: '/policyId' }] },
      });
      const key = randomUUID();
      const first = await service.post('/policies', request, { key });
      const again = await service.post('/policies', request, { key });
      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    });

    it.each([
      [{ name: 'x' }, '/document', 'required'],
      [{ name: 'x', document: documentFor(), template: 'standard' }, '/template', 'unexpected'],
      [{ template: 'standard' }, '/name', 'required'],
      [{ name: 'x', template: 'none' }, '/template', 'enum'],
    ])('returns 400 for %j', async (body, path, code) => {
      expect(await service.post('/policies', body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path, code }] },
      });
    });

    it('returns the path of a number that JSON cannot represent', async () => {
      const [name, rule] = ['x', '{"id":"a","phase":"list","text":"x","block":"no","priority":1e400}'];
      const document = `{"rules":[${rule}]}`;
      const rejected = {
        status: 422,
        body: { code: 'policy_invalid', errors: [{ path: '/document/rules/0/priority' }] },
      };
      expect(await service.post('/policies', `{"name":"${name}","document":${document}}`)).toMatchObject(rejected);
      const { path } = await createPolicy(service);
      expect(await service.put(`${path}/draft`, `{"document":${document}}`, ifRevision(1))).toMatchObject(rejected);
    });

    it.each([
      [{}, '/document/rules'],
      [{ rules: [{ id: 'a', phase: 'exclusion', text: 'x' }] }, '/document/rules/0/deny'],
      [
        {
          rules: [
            {
              id: 'a',
              phase: 'exclusion',
              text: 'x',
              deny: 'no',
              when: { not: { fact: 'line.color', op: 'eq', value: 'red' } },
            },
          ],
        },
        '/document/rules/0/when/not/fact',
      ],
    ])('returns the path of the error in %j', async (document, path) => {
      const answer = await service.post('/policies', { name: 'x', document });
      expect(answer).toMatchObject({ status: 422, body: { code: 'policy_invalid' } });
      expect(answer.body.errors.map((fieldError) => fieldError.path)).toContain(path);
    });
  });

  describe('lists', () => {
    it('returns policies in pages, newest first', async () => {
      const created = [await createPolicy(service), await createPolicy(service)].map(({ policyId }) => policyId);
      const first = await service.get('/policies?limit=1');
      const cursor = encodeURIComponent(String(first.body.nextCursor));
      const second = await service.get(`/policies?limit=1&cursor=${cursor}`);
      const ids = [first, second].flatMap(({ body }) =>
        (body.items as unknown as { policyId: string }[]).map(({ policyId }) => policyId),
      );
      expect(ids).toEqual(created.toReversed());
      expect(await service.get(`/policies?cursor=${cursor}x`)).toMatchObject({ body: { code: 'invalid_cursor' } });
    });

    it('returns versions in pages, newest first, without documents', async () => {
      const { path } = await publishedPolicy(service);
      await service.put(`${path}/draft`, { copyOf: 1 }, beginDraft);
      const first = await service.get(`${path}/versions?limit=1`);
      expect(first.body.items).toMatchObject([{ version: 2, status: 'draft' }]);
      expect(first.body.items[0]).not.toHaveProperty('document');
      const cursor = encodeURIComponent(String(first.body.nextCursor));
      const second = await service.get(`${path}/versions?limit=1&cursor=${cursor}`);
      expect(second.body).toMatchObject({ items: [{ version: 1, status: 'published' }], nextCursor: null });
    });
  });

  describe('saveDraft', () => {
    it('replaces the draft only at the version of If-Match', async () => {
      const { path } = await createPolicy(service);
      const document = documentFor(randomUUID(), 60);
      const saved = await service.put(`${path}/draft`, { document, name: 'Sixty' }, ifRevision(1));
      expect(saved).toMatchObject({ status: 200, body: { version: 1, revision: 2, document } });
      expect(saved.headers.get('etag')).toBe('"2"');
      expect((await service.get(path)).body).toMatchObject({ name: 'Sixty', revision: 2 });
      expect(await service.put(`${path}/draft`, { document }, ifRevision(1))).toMatchObject({
        status: 412,
        body: { code: 'version_mismatch', errors: [{ path: 'header:If-Match' }] },
      });
      expect(await service.put(`${path}/draft`, { document })).toMatchObject({
        status: 428,
        body: { code: 'precondition_required' },
      });
      expect(await service.put(`${path}/draft`, { document }, beginDraft)).toMatchObject({
        status: 412,
        body: { code: 'version_mismatch', errors: [{ path: 'header:If-None-Match' }] },
      });
      expect(
        await service.put(`${path}/draft`, { document }, { client: 'returns-reader', ...ifRevision(2) }),
      ).toMatchObject({
        status: 403,
      });
    });

    it('stores nothing in a dry run', async () => {
      const { path } = await createPolicy(service);
      const trial = await service.put(
        `${path}/draft?dryRun=true`,
        { document: documentFor(), name: 'x' },
        ifRevision(1),
      );
      expect(trial).toMatchObject({ status: 200, body: { revision: 2 } });
      expect((await service.get(`${path}/versions/1`)).body).toMatchObject({ revision: 1 });
      expect((await service.get(path)).body).toMatchObject({ name: 'Standard', revision: 1 });
    });

    it('starts the next version after a publication, as a copy of any version', async () => {
      const { path, published } = await publishedPolicy(service);
      expect(await service.put(`${path}/draft`, { document: documentFor() }, ifRevision(2))).toMatchObject({
        status: 409,
        body: { code: 'version_published' },
      });
      expect(await service.put(`${path}/draft`, { copyOf: 7 }, beginDraft)).toMatchObject({
        status: 404,
        body: { code: 'policy_version_not_found', errors: [{ path: '/copyOf' }] },
      });
      const started = await service.put(`${path}/draft`, { copyOf: 1, note: 'back to before' }, beginDraft);
      expect(started).toMatchObject({
        status: 201,
        body: { version: 2, status: 'draft', revision: 1, note: 'back to before' },
      });
      expect(versionIn(started).document).toEqual(versionIn(published).document);
      expect((await service.get(path)).body).toMatchObject({ latest: 2, draft: 2, inForce: 1 });
    });

    it('lets one of two concurrent requests start a draft', async () => {
      const { path } = await publishedPolicy(service);
      const answers = await Promise.all(
        [30, 60].map(async (days) =>
          service.put(`${path}/draft`, { document: documentFor(randomUUID(), days) }, beginDraft),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 412]);
    });
  });

  describe('lintDraft and testDraft', () => {
    it('return the errors that prevent a publication', async () => {
      const seller = randomUUID();
      const { path } = await createPolicy(service, { ...documentFor(seller), rules: [] });
      const linted = await service.post(`${path}/draft/lint`, undefined, { key: null });
      expect(linted).toMatchObject({
        status: 200,
        body: { findings: [{ severity: 'error' }, { code: 'no_golden_cases' }] },
      });
      const { findings } = linted.body as unknown as { findings: { code: string; path: string }[] };
      const rejected = await service.post(`${path}/publish`);
      expect(rejected).toMatchObject({
        status: 422,
        body: { code: 'policy_invalid', errors: [{ code: findings[0]?.code, path: `/document${findings[0]?.path}` }] },
      });
    });

    it('name the facts that a golden case does not have', async () => {
      const template = versionIn(await service.post('/policies', { name: 'Standard', template: 'standard' }));
      const [usual] = (template.document as { goldenCases: object[] }).goldenCases;
      const when = { fact: 'line.condition', op: 'neq', value: 'new' };
      const { path } = await createPolicy(service, {
        selectors: { sellers: [randomUUID()] },
        rules: [{ id: 'new', phase: 'exclusion', text: 'Only new goods come back.', deny: 'used', when }],
        goldenCases: [{ ...usual, expect: { verdict: 'approved' } }],
      });
      const differences = [{ path: '/verdict', expected: 'approved', found: 'needs_review' }];
      expect((await service.post(`${path}/draft/test`, undefined, { key: null })).body).toMatchObject({
        cases: [{ passed: false, differences, missing: ['line.condition'] }],
      });
    });

    it('return the actual result of a failed golden case', async () => {
      const template = versionIn(await service.post('/policies', { name: 'Standard', template: 'standard' }));
      const [usual] = (template.document as { goldenCases: { expect: object }[] }).goldenCases;
      const wrong = { ...usual, name: 'wrong', expect: { verdict: 'rejected', lines: [{ code: 'final_sale' }] } };
      const document = { ...template.document, selectors: { sellers: [randomUUID()] }, goldenCases: [usual, wrong] };
      const { path } = await createPolicy(service, document);
      const tested = await service.post(`${path}/draft/test`, undefined, { key: null });
      expect(tested.body).toMatchObject({
        passed: false,
        cases: [
          { passed: true, differences: [], missing: [] },
          {
            name: 'wrong',
            passed: false,
            differences: [
              { path: '/verdict', expected: 'rejected', found: 'approved' },
              { path: '/lines/0/code', expected: 'final_sale', found: null },
            ],
          },
        ],
      });
      expect(await service.post(`${path}/publish`)).toMatchObject({
        status: 422,
        body: {
          code: 'golden_case_failed',
          errors: [
            { path: '/document/goldenCases/1/expect/verdict', code: 'different' },
            { path: '/document/goldenCases/1/expect/lines/0/code', code: 'different' },
          ],
        },
      });
    });

    it.each(['lint', 'test'])('return 404 on %s without a draft', async (what) => {
      const { path } = await publishedPolicy(service);
      expect(await service.post(`${path}/draft/${what}`, undefined, { key: null })).toMatchObject({
        status: 404,
        body: { code: 'policy_version_not_found' },
      });
      expect(await service.post(`${path}/draft/${what}`, undefined, { client: 'returns-reader' })).toMatchObject({
        status: 403,
      });
    });
  });

  describe('diffVersions', () => {
    it('returns the changes between two versions, field by field', async () => {
      const seller = randomUUID();
      const { path, policyId } = await createPolicy(service, documentFor(seller));
      await service.post(`${path}/publish`);
      const [window, approval] = documentFor(seller, 60).rules;
      const document = { ...documentFor(seller, 60, { favorable: true }), rules: [approval, window] };
      await service.put(`${path}/draft`, { document }, beginDraft);
      const diff = await service.get(`${path}/diff?from=1&to=2`, { client: 'returns-reader' });
      expect(diff).toMatchObject({ status: 200 });
      expect(diff.body).toEqual({
        policyId,
        from: 1,
        to: 2,
        changes: [
          { path: '/favorable', change: 'added', after: true },
          { rule: 'window', path: '/text', change: 'changed', before: '30 days', after: '60 days' },
          { rule: 'window', path: '/window/days', change: 'changed', before: 30, after: 60 },
        ],
      });
      // A draft may change at any time, so its diff is not cached.
      await service.put(`${path}/draft`, { copyOf: 1 }, ifRevision(1));
      expect(await service.get(`${path}/diff?from=1&to=2`)).toMatchObject({ body: { changes: [] } });
      expect(await service.get(`${path}/diff?from=1&to=3`)).toMatchObject({
        status: 404,
        body: { code: 'policy_version_not_found', errors: [{ path: '/to' }] },
      });
      expect(await service.get(`${path}/versions/3`)).toMatchObject({ body: { code: 'policy_version_not_found' } });
    });
  });
});
