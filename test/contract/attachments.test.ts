import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Answer, Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { announcementOf } from '../support/attachments.ts';
import { createReturn, registerOrder, returnOf, shopOrder } from '../support/scenario.ts';
import { inSoak } from '../support/samples.ts';

const picture = Buffer.from('a picture of a torn seam');

type Added = Required<Output<'addAttachment'>>;
const addedIn = ({ status, body }: Answer): Added => {
  if (status !== 201) throw new Error(`not added: ${JSON.stringify(body)}`);
  return body as unknown as Added;
};

const upload = async ({ upload: { url, method, headers } }: Added, body: Uint8Array<ArrayBuffer>, changes = {}) => {
  const response = await fetch(url, { method, headers: { ...headers, ...changes }, body });
  const [, code] = /<Code>(\w+)</.exec(await response.text()) ?? [];
  return { status: response.status, ...(code === undefined ? {} : { code }) };
};

const evidenceOf = async (service: Api, id: string) =>
  (await service.get(`/returns/${id}`, { client: 'returns-reader' })).body as unknown as Output<'getReturn'>;

describe.each(contractModes(import.meta.filename))('%s addAttachment', (mode) => {
  const service = contractApi(mode);
  const add = async (id: string, more: object = {}, options: object = {}) =>
    service.post(`/returns/${id}/attachments`, announcementOf(picture, more), options);

  it('stores a file that readers of the return can download', async () => {
    const { id } = await createReturn(service);
    const answer = await add(id);
    const added = addedIn(answer);
    expect(added).toMatchObject({
      returnId: id,
      version: 2,
      attachment: { id: expect.stringMatching(/^att_/), ...announcementOf(picture), addedAt: expect.any(String) },
      upload: { method: 'PUT', expiresAt: expect.any(String) },
    });
    expect(answer.headers.get('location')).toBe(`/v1/returns/${id}`);
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(await upload(added, picture)).toEqual({ status: 200 });

    const [shown] = (await evidenceOf(service, id)).evidence ?? [];
    expect(shown).toMatchObject(added.attachment);
    const file = await fetch(shown?.url ?? '');
    expect(file.headers.get('content-type')).toBe('image/jpeg');
    expect(file.headers.get('content-disposition')).toBe('attachment');
    expect(Buffer.from(await file.arrayBuffer())).toEqual(picture);
  });

  it.each(inSoak('accepts a file of 20 MiB'))('%s', async () => {
    const { id } = await createReturn(service);
    const film = Buffer.alloc(20 * 1024 * 1024, 'film');
    const announcement = announcementOf(film, { contentType: 'video/mp4' });
    const added = addedIn(await service.post(`/returns/${id}/attachments`, announcement));
    expect(await upload(added, film)).toEqual({ status: 200 });
  });

  it('shows the evidence of a line with the line', async () => {
    const { id, answer } = await createReturn(service);
    const [line] = answer.body.lines;
    const { attachment } = addedIn(await add(id, { lineId: line?.lineId }));
    expect(await evidenceOf(service, id)).toMatchObject({
      evidence: [],
      lines: [{ lineId: line?.lineId, evidence: [{ id: attachment.id, lineId: line?.lineId }] }],
    });
  });

  it.each<[string, Buffer<ArrayBuffer>, object, object]>([
    [
      'other bytes',
      Buffer.from('a picture of a torn shirt').subarray(0, picture.length),
      {},
      { status: 400, code: 'BadDigest' },
    ],
    ['more bytes', Buffer.concat([picture, picture]), {}, { status: 403, code: 'SignatureDoesNotMatch' }],
    ['another type', picture, { 'content-type': 'text/html' }, { status: 403, code: 'SignatureDoesNotMatch' }],
    [
      'another digest',
      Buffer.from('another picture, as long'),
      { 'x-amz-checksum-sha256': announcementOf(Buffer.from('another picture, as long')).sha256 },
      { status: 403, code: 'SignatureDoesNotMatch' },
    ],
  ])('rejects an upload with %s than declared', async (_, bytes, headers, failure) => {
    const { id } = await createReturn(service);
    const added = addedIn(await add(id));
    expect(await upload(added, bytes, headers)).toEqual(failure);
    const [shown] = (await evidenceOf(service, id)).evidence ?? [];
    expect((await fetch(shown?.url ?? '')).status).toBe(403);
  });

  it('signs an upload URL for one file, until its expiry', async () => {
    const { id } = await createReturn(service);
    const [one, other] = [addedIn(await add(id)), addedIn(await add(id))];
    const forged = (url: string) => ({ ...one, upload: { ...one.upload, url } });
    const elsewhere = one.upload.url.replace(one.attachment.id, other.attachment.id);
    expect(await upload(forged(elsewhere), picture)).toMatchObject({ code: 'SignatureDoesNotMatch' });
    const longer = one.upload.url.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000');
    expect(await upload(forged(longer), picture)).toMatchObject({ code: 'SignatureDoesNotMatch' });
    expect(await upload(one, picture)).toEqual({ status: 200 });
  });

  it('hides customer data and evidence from a writer', async () => {
    const facts = shopOrder();
    const order = await registerOrder(service, { customer: facts.customer });
    const { body } = await service.post('/returns', returnOf(order));
    const added = await add(body.returnId, {}, { client: 'returns-writer' });
    expect(JSON.stringify(added.body)).not.toContain(facts.customer.id);
    const approved = await service.post(`/returns/${body.returnId}/approve`, {}, { client: 'returns-writer' });
    expect(approved.body).not.toHaveProperty('evidence');
    expect(approved.body.lines[0]).not.toHaveProperty('evidence');
    expect(await add(body.returnId, {}, { client: 'returns-reader' })).toMatchObject({ status: 403 });
  });

  it('returns the same attachment and a valid URL for a repeated request', async () => {
    const { id } = await createReturn(service);
    const key = crypto.randomUUID();
    const [first, again] = [await add(id, {}, { key }), await add(id, {}, { key })];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(addedIn(again).attachment).toEqual(addedIn(first).attachment);
    expect(await upload(addedIn(again), picture)).toEqual({ status: 200 });
    expect((await evidenceOf(service, id)).evidence).toHaveLength(1);
  });

  it('accepts evidence in any status, and adds it to the history', async () => {
    const { id } = await createReturn(service);
    await service.post(`/returns/${id}/reject`, { code: 'final_sale' });
    const { attachment } = addedIn(await add(id));
    const { items } = (await service.get(`/returns/${id}/history`)).body;
    expect(items.at(-1)).toMatchObject({
      type: 'attachment.added',
      from: 'rejected',
      to: 'rejected',
      data: { attachment },
    });
    expect((await evidenceOf(service, id)).allowedActions).toContainEqual({
      action: 'addAttachment',
      scope: 'returns:write',
      allowed: true,
    });
  });

  it('shows the evidence as of a time', async () => {
    const { id, answer } = await createReturn(service);
    const before = (answer.body as unknown as Output<'getReturn'>).createdAt;
    addedIn(await add(id));
    expect((await service.get(`/returns/${id}?asOf=${before}`)).body).toMatchObject({ evidence: [] });
    expect((await service.get(`/returns/${id}?asOf=${new Date().toISOString()}`)).body).toMatchObject({
      evidence: [{ url: expect.any(String) }],
    });
  });

  it('fails for a line of another return, and for an outdated version', async () => {
    const { id } = await createReturn(service);
    expect(await add(id, { lineId: 'rln_00000000000000000000000000' })).toMatchObject({
      status: 404,
      body: { code: 'return_line_not_found', errors: [{ path: '/lineId', code: 'unknown' }] },
    });
    expect(await add(id, {}, { headers: { 'if-match': '"9"' } })).toMatchObject({ status: 412 });
    expect(await add('ret_00000000000000000000000000')).toMatchObject({ status: 404 });
  });

  it.each([
    ['contentType', 'image/svg+xml'],
    ['size', 0],
    ['size', 20 * 1024 * 1024 + 1],
    ['sha256', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['fileName', 'Ada Marker.jpg'],
  ])('returns 400 for the %s %j', async (field, value) => {
    const { id } = await createReturn(service);
    expect(await add(id, { [field]: value })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: `/${field}` }] },
    });
  });
});
