import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s addNote', (mode) => {
  const service = contractApi(mode);
  const note = { text: 'marker-note: she called' };

  it.each([
    ['is requested', []],
    ['is approved', [['approve']]],
    ['is cancelled', [['cancel']]],
    ['is rejected', [['reject', { code: 'final_sale' }]]],
  ] as const)('adds a note to a return that %s, without a change of status', async (_, before) => {
    const { id } = await createReturn(service);
    for (const [command, body] of before) await service.post(`/returns/${id}/${command}`, body);
    const { status, lines } = (await service.get(`/returns/${id}`)).body as { status?: string; lines: unknown };
    expect(await service.post(`/returns/${id}/notes`, note)).toMatchObject({
      status: 200,
      body: {
        status,
        version: before.length + 2,
        notes: [{ id: expect.stringMatching(/^note_/), visibility: 'internal' }],
      },
    });
    expect((await service.get(`/returns/${id}`)).body.lines).toEqual(lines);
  });

  it('returns the author, and the text to readers only', async () => {
    const { id } = await createReturn(service);
    const as = { client: 'returns-writer', headers: { 'returns-on-behalf-of': 'agent-7' } };
    const answer = await service.post(`/returns/${id}/notes`, { ...note, visibility: 'internal' }, as);
    expect(JSON.stringify(answer.body)).not.toContain('marker');
    const actor =
      mode === 'standalone'
        ? { clientId: 'returns-writer', onBehalfOf: 'agent-7' }
        : { clientId: 'returns-integration', onBehalfOf: 'returns-writer/agent-7' };
    const { body } = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(body).toMatchObject({ notes: [{ actor, note: note.text }] });
    const history = await service.get(`/returns/${id}/history`);
    expect(history.body.items).toMatchObject([{}, { type: 'note.added', from: 'requested', to: 'requested' }]);
    expect(JSON.stringify(history.body)).not.toContain('marker');
  });

  it.each([
    ['no text', {}, '/text', 'required'],
    ['an empty text', { text: '' }, '/text', 'min_length'],
    ['an unknown visibility', { text: 'a', visibility: 'public' }, '/visibility', 'enum'],
  ])('returns 400 for %s', async (_, body, path, code) => {
    const { id } = await createReturn(service);
    expect(await service.post(`/returns/${id}/notes`, body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path, code }] },
    });
  });
});
