import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Api } from './api.ts';

/**
 * Sends a command and checks the rules of every command on a return. A reader may not send it. A dry run stores
 * nothing. An old version is rejected. A repeat gets the first response.
 *
 * @param path of the return
 * @returns the response
 */
export const expectManners = async (service: Api, path: string, command: string, body: object) => {
  const at = `${path}/${command}`;
  const before = await service.get(path);
  expect(await service.post(at, body, { client: 'returns-reader' })).toMatchObject({ status: 403 });
  expect(await service.post(at, body, { key: null })).toMatchObject({ body: { code: 'idempotency_key_required' } });
  const stale = { headers: { 'if-match': `"${before.body.version - 1}"` } };
  expect(await service.post(at, body, stale)).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
  expect(await service.post(`${at}?dryRun=true`, body, { key: null })).toMatchObject({ status: 200 });
  expect((await service.get(path)).body).toEqual(before.body);
  const key = randomUUID();
  const headers = { 'if-match': before.headers.get('etag') ?? '' };
  const first = await service.post(at, body, { key, headers });
  expect(first).toMatchObject({ status: 200 });
  const again = await service.post(at, body, { key, headers });
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  return first;
};
