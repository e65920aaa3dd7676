import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { announcementOf } from '../support/attachments.ts';
import { createReturn } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s requestInfo and provideInfo', (mode) => {
  const service = contractApi(mode);
  const question = { message: 'marker-note: has it been worn?' };
  const answer = { message: 'marker-note: only tried on' };

  it('wait for an answer, and then for the decision again', async () => {
    const { id } = await createReturn(service);
    expect(await service.post(`/returns/${id}/request-info`, question)).toMatchObject({
      status: 200,
      body: {
        status: 'info_requested',
        version: 2,
        messages: [{ id: expect.stringMatching(/^note_/), direction: 'asked' }],
        infoRequestedAt: expect.any(String),
      },
    });
    expect(await service.post(`/returns/${id}/provide-info`, answer)).toMatchObject({
      status: 200,
      body: { status: 'requested', version: 3, messages: [{ direction: 'asked' }, { direction: 'answered' }] },
    });
    expect(await service.post(`/returns/${id}/approve`)).toMatchObject({ body: { status: 'approved' } });
  });

  it('allow a decision without an answer', async () => {
    const [one, other] = [await createReturn(service), await createReturn(service)];
    for (const { id } of [one, other]) await service.post(`/returns/${id}/request-info`, question);
    expect(await service.post(`/returns/${one.id}/approve`)).toMatchObject({ body: { status: 'approved' } });
    expect(await service.post(`/returns/${other.id}/reject`, { code: 'no_answer' })).toMatchObject({
      body: { status: 'rejected' },
    });
  });

  it('show the messages to readers only', async () => {
    const { id } = await createReturn(service);
    const writer = { client: 'returns-writer' };
    const infoRequest = await service.post(`/returns/${id}/request-info`, question, writer);
    const answered = await service.post(`/returns/${id}/provide-info`, answer, writer);
    const history = await service.get(`/returns/${id}/history`);
    expect(JSON.stringify([infoRequest.body, answered.body, history.body])).not.toContain('marker');
    expect(history.body.items).toMatchObject([
      {},
      { type: 'return.info_requested', from: 'requested', to: 'info_requested' },
      { type: 'return.info_provided', from: 'info_requested', to: 'requested' },
    ]);
    const { body } = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(body).toMatchObject({ messages: [{ text: question.message }, { text: answer.message }] });
  });

  it('run once per key, and fail for an outdated version', async () => {
    const { id } = await createReturn(service);
    const stale = { headers: { 'if-match': '"9"' } };
    expect(await service.post(`/returns/${id}/request-info`, question, stale)).toMatchObject({ status: 412 });
    const key = randomUUID();
    const first = await service.post(`/returns/${id}/request-info`, question, { key });
    const again = await service.post(`/returns/${id}/request-info`, question, { key });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('alternate', async () => {
    const { id } = await createReturn(service);
    const failure = (action: string, allowed: string) => ({
      status: 409,
      body: {
        code: 'invalid_transition',
        allowedActions: expect.arrayContaining([
          { action, scope: 'returns:write', allowed: false, blockedBy: 'invalid_transition' },
          { action: allowed, scope: 'returns:write', allowed: true },
        ]),
      },
    });
    const early = await service.post(`/returns/${id}/provide-info`, answer);
    expect(early).toMatchObject(failure('provideInfo', 'requestInfo'));
    await service.post(`/returns/${id}/request-info`, question);
    const twice = await service.post(`/returns/${id}/request-info`, question);
    expect(twice).toMatchObject(failure('requestInfo', 'provideInfo'));
  });

  it('accept evidence as an answer, with or without text', async () => {
    const { id } = await createReturn(service);
    const file = announcementOf(Buffer.from('a picture of a torn seam'));
    const attach = async (to: string) => {
      const { body } = await service.post(`/returns/${to}/attachments`, file);
      return (body as unknown as Output<'addAttachment'>).attachment.id;
    };
    const [mine, other] = [await attach(id), await attach((await createReturn(service)).id)];
    await service.post(`/returns/${id}/request-info`, question);
    expect(await service.post(`/returns/${id}/provide-info`, { evidence: [mine, other] })).toMatchObject({
      status: 404,
      body: { code: 'attachment_not_found', errors: [{ path: '/evidence/1', code: 'unknown' }] },
    });
    const answered = await service.post(`/returns/${id}/provide-info`, { evidence: [mine] });
    expect(answered).toMatchObject({ status: 200, body: { status: 'requested' } });
    expect(answered.body).not.toHaveProperty('messages.1.evidence');
    await service.post(`/returns/${id}/request-info`, question);
    await service.post(`/returns/${id}/provide-info`, { ...answer, evidence: [mine] });
    const { body } = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(body).toMatchObject({
      messages: [{}, { evidence: [mine] }, {}, { text: answer.message, evidence: [mine] }],
    });
    expect(body).not.toHaveProperty('messages.1.text');
  });

  it.each([
    ['request-info', '/message', 'required'],
    ['provide-info', '', 'min_properties'],
  ])('return 400 without content: %s', async (command, path, code) => {
    const { id } = await createReturn(service);
    expect(await service.post(`/returns/${id}/${command}`, {})).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path, code }] },
    });
  });
});
