import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import type { Answer } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { ownPlatform } from '../support/intent-writes.ts';
import { eur } from '../support/orders.ts';
import { signedToken, webApi } from '../support/users.ts';

const settingIn = ({ body }: Answer) => body as unknown as Output<'getWriteBack'>;
const ownPath = () => `/write-back/shops/${ownPlatform()}`;
const create = { 'if-none-match': '*' };
const at = (version: number) => ({ 'if-match': `"${version}"` });
const on = (amount: number) => ({ actions: { refund: 'on' }, dailyRefunds: [eur(amount)] });

/** Returns the author of a change by a person. In the connected mode, the service sees the integration. */
const authorOf = (mode: Mode, id: string) =>
  mode === 'standalone' ? { clientId: expect.any(String), user: { id } } : { clientId: 'returns-integration' };

describe.each(contractModes(import.meta.filename))('%s setting of a shop', (mode) => {
  const service = contractApi(mode);
  const web = webApi(mode);

  it('has version 0 and no action before any change', async () => {
    const platform = ownPlatform();
    const read = await service.get(`/write-back/shops/${platform}`, { client: 'returns-reader' });
    expect(read).toMatchObject({ status: 200 });
    expect(read.body).toEqual({
      platform,
      version: 0,
      actions: {},
      isStopped: false,
      dailyRefunds: [],
      isEnabled: false,
    });
    expect(read.headers.get('etag')).toBe('"0"');
  });

  it('is created once, and replaced as a whole at the version of If-Match', async () => {
    const path = ownPath();
    const actions = { approve: 'on', reject: 'shadow', close: 'off' };
    const created = await service.put(path, { actions, dailyRefunds: [eur(500)] }, { headers: create });
    // An action that is off is left out.
    expect(created).toMatchObject({ status: 201, body: { version: 1, dailyRefunds: [eur(500)] } });
    expect(settingIn(created).actions).toEqual({ approve: 'on', reject: 'shadow' });
    expect(created.headers.get('etag')).toBe('"1"');
    expect(await service.put(path, { actions }, { headers: create })).toMatchObject({
      status: 412,
      body: { code: 'version_mismatch', errors: [{ path: 'header:If-Match', code: 'version' }] },
    });
    const replaced = await service.put(path, { actions: { receive: 'on' } }, { headers: at(1) });
    expect(replaced).toMatchObject({ status: 200, body: { version: 2, dailyRefunds: [] } });
    expect(settingIn(replaced).actions).toEqual({ receive: 'on' });
    expect(await service.put(path, { actions }, { headers: at(1) })).toMatchObject({ status: 412 });
    expect((await service.get(path)).body).toEqual(replaced.body);
  });

  it('needs an admin and a precondition, and a dry run stores nothing', async () => {
    const path = ownPath();
    const body = { actions: { approve: 'on' } };
    expect(await service.put(path, body, { headers: create, client: 'returns-writer' })).toMatchObject({ status: 403 });
    expect(await service.put(path, body)).toMatchObject({
      status: 428,
      body: { code: 'precondition_required', errors: [{ path: 'header:If-Match', code: 'required' }] },
    });
    expect(await service.put(path, body, { headers: at(1) })).toMatchObject({ status: 412 });
    const trial = await service.put(`${path}?dryRun=true`, body, { headers: create });
    expect(trial).toMatchObject({ status: 201, body: { version: 1 } });
    expect((await service.get(path)).body).toMatchObject({ version: 0 });
  });

  it.each([
    ['an unknown action', { actions: { exchange: 'on' } }, '/actions/exchange', 'unknown_field'],
    ['an unknown mode', { actions: { approve: 'yes' } }, '/actions/approve', 'enum'],
    ['no actions', {}, '/actions', 'required'],
    ['a limit of nothing', { actions: {}, dailyRefunds: [eur(0)] }, '/dailyRefunds/0/amount', 'minimum'],
    [
      'two limits of a currency',
      { actions: {}, dailyRefunds: [eur(1), eur(2)] },
      '/dailyRefunds/1/currency',
      'duplicate',
    ],
  ])('returns 400 for %s', async (_, body, path, code) => {
    const answer = await service.put(ownPath(), body, { headers: create });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ path, code }));
  });

  it('returns 400 for a shop whose name is no platform', async () => {
    expect(await service.get('/write-back/shops/My%20Shop')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/platform' }] },
    });
  });

  it('stops all actions by one person, and keeps their modes', async () => {
    const path = ownPath();
    await service.put(path, { actions: { approve: 'on' } }, { headers: create });
    const stopped = await service.put(path, { actions: { approve: 'on' }, isStopped: true }, { headers: at(1) });
    expect(stopped).toMatchObject({ status: 200, body: { isStopped: true, actions: { approve: 'on' } } });
  });

  it('lets no client pay refunds alone, however often it asks', async () => {
    const path = ownPath();
    const first = await service.put(
      path,
      { ...on(100), actions: { refund: 'on', approve: 'on' } },
      { headers: create },
    );
    expect(settingIn(first)).toMatchObject({
      actions: { approve: 'on' },
      dailyRefunds: [],
      refundsRequested: { dailyRefunds: [eur(100)] },
    });
    expect(settingIn(first).actions).not.toHaveProperty('refund');
    const second = await service.put(path, on(100), { headers: at(1) });
    expect(settingIn(second).actions).not.toHaveProperty('refund');
    expect(settingIn(second).refundsRequested?.at).toBe(settingIn(first).refundsRequested?.at);
  });

  it('names the last author', async () => {
    const [path, sub] = [ownPath(), `user-${randomUUID()}`];
    await web.put(path, { actions: {} }, { token: await signedToken({ sub }), headers: create });
    expect((await service.get(path)).body).toMatchObject({ updatedBy: authorOf(mode, sub) });
  });
});

// In the connected mode, the service sees one client for all persons.
describe('standalone payment of refunds by a shop', () => {
  const web = webApi('standalone');

  it('is on once a second person asks for the same limits', async () => {
    const path = ownPath();
    const [ana, bruno] = [`user-${randomUUID()}`, `user-${randomUUID()}`];
    const as = async (sub: string, body: object, headers: Record<string, string>) =>
      web.put(path, body, { token: await signedToken({ sub }), headers });
    const asked = await as(ana, on(100), create);
    expect(asked).toMatchObject({ status: 201, body: { refundsRequested: { by: authorOf('standalone', ana) } } });
    // Other limits begin again.
    const other = await as(bruno, on(200), at(1));
    expect(settingIn(other)).toMatchObject({ actions: {}, refundsRequested: { by: authorOf('standalone', bruno) } });
    const both = await as(ana, on(200), at(2));
    expect(settingIn(both)).toMatchObject({ actions: { refund: 'on' }, dailyRefunds: [eur(200)] });
    expect(settingIn(both)).not.toHaveProperty('refundsRequested');
    // A lower limit counts at once, and a higher one needs a second person again.
    const lower = await as(ana, on(50), at(3));
    expect(settingIn(lower)).toMatchObject({ actions: { refund: 'on' }, dailyRefunds: [eur(50)] });
    const higher = await as(ana, on(300), at(4));
    expect(settingIn(higher)).toMatchObject({
      actions: { refund: 'on' },
      dailyRefunds: [eur(50)],
      refundsRequested: { dailyRefunds: [eur(300)] },
    });
    expect(settingIn(await as(ana, { actions: { refund: 'off' } }, at(5))).actions).toEqual({});
  });
});
