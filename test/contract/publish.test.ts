import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { api, type Api } from '../support/api.ts';
import { contractModes } from '../support/contract-api.ts';
import { sharedStack } from '../support/own-stack.ts';
import { beginDraft, createPolicy, documentFor, publishedPolicy, ifRevision, versionIn } from '../support/policies.ts';

const stack = await sharedStack();

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();

describe.each(contractModes(import.meta.filename))('%s published policies', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = api(mode, stack.info);
  });

  describe('publish', () => {
    it('puts the draft in force, once', async () => {
      const { path } = await createPolicy(service);
      expect(await service.post(`${path}/publish`, {}, { client: 'returns-reader' })).toMatchObject({ status: 403 });
      expect(await service.post(`${path}/publish`, {}, { key: null })).toMatchObject({
        body: { code: 'idempotency_key_required' },
      });
      expect(await service.post(`${path}/publish`, {}, ifRevision(7))).toMatchObject({
        status: 412,
        body: { code: 'version_mismatch' },
      });
      const trial = await service.post(`${path}/publish?dryRun=true`, {}, { key: null });
      expect(trial).toMatchObject({ status: 200, body: { status: 'published' } });
      expect((await service.get(path)).body).not.toHaveProperty('inForce');
      const key = randomUUID();
      const first = await service.post(`${path}/publish`, {}, { key, ...ifRevision(1) });
      expect(first).toMatchObject({
        status: 200,
        body: { version: 1, status: 'published', publishedAt: expect.any(String), publishedBy: expect.any(Object) },
      });
      expect(versionIn(first).effectiveFrom).toBe(versionIn(first).publishedAt);
      const again = await service.post(`${path}/publish`, {}, { key, ...ifRevision(1) });
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await service.post(`${path}/publish`)).toMatchObject({
        status: 409,
        body: { code: 'version_published' },
      });
      const policy = await service.get(path);
      expect(policy.body).toMatchObject({ latest: 1, inForce: 1, revision: 2 });
      expect(policy.body).not.toHaveProperty('draft');
    });

    it('keeps the document of the previous version, and supersedes it', async () => {
      const { path, published } = await publishedPolicy(service);
      await service.put(`${path}/draft`, { document: documentFor(randomUUID(), 60) }, beginDraft);
      const next = versionIn(await service.post(`${path}/publish`));
      const before = versionIn(await service.get(`${path}/versions/1`));
      const { document, revision } = versionIn(published);
      expect(before).toMatchObject({ status: 'superseded', document, revision, effectiveUntil: next.effectiveFrom });
      expect((await service.get(path)).body).toMatchObject({ inForce: 2 });
    });

    it('warns of a draft without golden cases, and of lint warnings', async () => {
      const always = { id: 'usual', phase: 'approval', text: 'All of them', approval: 'auto' };
      const dear = { fact: 'return.value', op: 'gt', value: 10_000 };
      const large = { ...always, id: 'large', text: 'Large ones', approval: 'manual', when: dear };
      const { path } = await createPolicy(service, { ...documentFor(), rules: [always, large] });
      const published = await service.post(`${path}/publish`);
      expect(published).toMatchObject({
        status: 200,
        body: {
          status: 'published',
          warnings: [
            { code: 'amount_without_currency', severity: 'warning', path: '/rules/1/when', rules: ['large'] },
            { code: 'no_golden_cases', severity: 'warning', path: '/goldenCases' },
          ],
        },
      });
    });

    it('waits for the day from which the version decides', async () => {
      const { path } = await publishedPolicy(service);
      await service.put(`${path}/draft`, { copyOf: 1 }, beginDraft);
      const [effectiveFrom, effectiveUntil] = [inDays(1), inDays(2)];
      const later = await service.post(`${path}/publish`, { effectiveFrom, effectiveUntil });
      expect(later).toMatchObject({ status: 200, body: { status: 'published', effectiveFrom, effectiveUntil } });
      expect((await service.get(path)).body).toMatchObject({ inForce: 1, latest: 2 });
      expect((await service.get(`${path}/versions/1`)).body).toMatchObject({
        status: 'published',
        effectiveUntil: effectiveFrom,
      });
    });

    it.each([
      [{ effectiveFrom: '2020-01-01T00:00:00Z' }, '/effectiveFrom'],
      [{ effectiveUntil: '2020-01-01T00:00:00Z' }, '/effectiveUntil'],
    ])('returns 400 for a period in the past: %j', async (period, path) => {
      const created = await createPolicy(service);
      expect(await service.post(`${created.path}/publish`, period)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path, code: 'minimum' }] },
      });
    });

    it('fails when another policy overlaps, and names both', async () => {
      const seller = randomUUID();
      const other = await publishedPolicy(service, documentFor(seller), 'The first');
      const { path } = await createPolicy(service, documentFor(seller, 60), 'The second');
      const rejected = await service.post(`${path}/publish`);
      expect(rejected).toMatchObject({
        status: 422,
        body: {
          code: 'policy_invalid',
          errors: [{ path: '/document/selectors', code: 'overlap', message: expect.stringContaining('"The first"') }],
        },
      });
      expect(rejected.body.errors[0]?.message).toContain('"The second"');
      const narrower = { ...documentFor(seller, 60), selectors: { sellers: [seller], channels: ['web'] } };
      expect(await service.put(`${path}/draft`, { document: narrower }, ifRevision(1))).toMatchObject({ status: 200 });
      expect(await service.post(`${path}/publish?dryRun=true`, {}, { key: null })).toMatchObject({ status: 200 });
      await service.post(`${other.path}/archive`);
      await service.put(`${path}/draft`, { document: documentFor(seller, 60) }, ifRevision(2));
      expect(await service.post(`${path}/publish`)).toMatchObject({ status: 200 });
    });

    it('publishes only one of two overlapping policies, for concurrent requests', async () => {
      const seller = randomUUID();
      const drafts = await Promise.all(
        [1, 2, 3].map(async (days) => createPolicy(service, documentFor(seller, days), `Policy ${days}`)),
      );
      const answers = await Promise.all(drafts.map(async ({ path }) => service.post(`${path}/publish`)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
      const rejected = answers.filter(({ status }) => status === 422);
      expect(rejected.map(({ body }) => body.errors[0]?.code)).toEqual(['overlap', 'overlap']);
    });

    it('never loses a concurrent save or publication', async () => {
      const { path } = await createPolicy(service);
      const document = documentFor(randomUUID(), 90);
      const [saved, published] = await Promise.all([
        service.put(`${path}/draft`, { document }, ifRevision(1)),
        service.post(`${path}/publish`, {}, ifRevision(1)),
      ]);
      const final = versionIn(await service.get(`${path}/versions/1`));
      const outcome = [saved.status, published.status];
      expect([
        [200, 412],
        [409, 200],
        [412, 200],
      ]).toContainEqual(outcome);
      expect(final.status).toBe(outcome[1] === 200 ? 'published' : 'draft');
      expect(final.document).toEqual(outcome[0] === 200 ? document : versionIn(published).document);
    });
  });

  describe('archive', () => {
    it('ends the version in force, requires an Idempotency-Key and supports dryRun', async () => {
      const { path } = await publishedPolicy(service);
      expect(await service.post(`${path}/archive`, {}, { client: 'returns-reader' })).toMatchObject({ status: 403 });
      expect(await service.post(`${path}/archive`, {}, ifRevision(1))).toMatchObject({
        status: 412,
        body: { code: 'version_mismatch' },
      });
      expect(await service.post(`${path}/archive`, { at: '2020-01-01T00:00:00Z' })).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/at', code: 'minimum' }] },
      });
      const trial = await service.post(`${path}/archive?dryRun=true`, {}, { key: null });
      expect(trial).toMatchObject({ status: 200, body: { revision: 3 } });
      expect((await service.get(path)).body).toMatchObject({ inForce: 1, revision: 2 });
      const archived = await service.post(`${path}/archive`, {}, ifRevision(2));
      expect(archived).toMatchObject({ status: 200, body: { revision: 3 } });
      expect(archived.headers.get('etag')).toBe('"3"');
      expect(archived.body).not.toHaveProperty('inForce');
      expect((await service.get(`${path}/versions/1`)).body).toMatchObject({
        status: 'archived',
        archivedAt: expect.any(String),
        archivedBy: expect.any(Object),
      });
      expect(await service.post(`${path}/archive`)).toMatchObject({ status: 200, body: { revision: 3 } });
    });

    it('accepts a later time', async () => {
      const { path } = await publishedPolicy(service);
      const at = inDays(1);
      expect(await service.post(`${path}/archive`, { at })).toMatchObject({ status: 200, body: { inForce: 1 } });
      expect((await service.get(`${path}/versions/1`)).body).toMatchObject({
        status: 'published',
        effectiveUntil: at,
        archivedAt: at,
      });
    });
  });
});
