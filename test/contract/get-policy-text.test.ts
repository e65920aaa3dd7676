import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Policy } from '../../lib/domain/policies/policy.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { publishedPolicy } from '../support/policies.ts';

/** A policy for orders of a channel of its own, so that no policy of another test decides them. */
const policyFor = (channel: string): Policy => ({
  selectors: { countries: ['PT'], channels: [channel] },
  categories: ['shoes'],
  rules: [
    { id: 'window', phase: 'window', text: 'Window', window: { anchor: 'delivered', days: 30, graceDays: 3 } },
    {
      id: 'shoes',
      phase: 'exclusion',
      text: 'No shoes',
      deny: 'excluded',
      when: { fact: 'line.categories', op: 'hasAny', value: ['shoes'] },
    },
    {
      id: 'vip',
      phase: 'approval',
      text: 'Secret',
      approval: 'auto',
      when: {
        and: [
          { fact: 'customer.segment', op: 'eq', value: 'insiders' },
          { fact: 'return.value', op: 'lte', value: 98_765 },
        ],
      },
    },
  ],
});

describe.each(contractModes(import.meta.filename))('%s getPolicyText', (mode) => {
  const service = contractApi(mode);

  it('returns statements, sentences and formats, and tells no secret of the policy', async () => {
    const channel = `channel-${randomUUID()}`;
    await publishedPolicy(service, policyFor(channel));
    const answer = await service.get(`/policies/text?country=PT&channel=${channel}`, {
      headers: { 'accept-language': 'pt-BR' },
    });
    expect(answer).toMatchObject({ status: 200, body: { country: 'PT', channel } });
    expect(answer.headers.get('content-language')).toBe('pt');
    const { statements, omitted, formats } = answer.body as unknown as Output<'getPolicyText'>;
    expect(statements).toContainEqual({
      kind: 'window',
      text: 'É possível devolver produtos até 30 dias após a entrega do produto.',
      window: { anchor: 'delivered', days: 30 },
    });
    expect(statements).toContainEqual({
      kind: 'exclusion',
      text: 'Não é possível devolver estes produtos. Apenas para: categoria do produto “shoes”.',
      when: [[{ fact: 'line.categories', is: ['shoes'] }]],
    });
    expect(statements.flatMap(({ right }) => right?.law ?? [])).toContain('EU 2011/83');
    expect(omitted).toEqual([
      {
        kind: 'window',
        why: 'undisclosed',
        text: 'Prazos de devolução: a loja não divulga os dias após o fim.',
      },
      {
        kind: 'examination',
        why: 'individual',
        text: 'Análise das devoluções: uma regra depende de clientes concretos.',
      },
    ]);
    expect(Object.keys(formats)).toEqual(['schema_org', 'google', 'ucp', 'shopify']);
    expect(formats.schema_org?.document).toMatchObject({ merchantReturnDays: 30, applicableCountry: 'PT' });
    expect(JSON.stringify(answer.body)).not.toMatch(/insiders|98765|Secret|graceDays/);
  });

  it('returns the language and the format of the query', async () => {
    const channel = `channel-${randomUUID()}`;
    await publishedPolicy(service, policyFor(channel));
    const answer = await service.get(`/policies/text?country=PT&channel=${channel}&language=de&format=ucp`);
    const { formats } = answer.body as unknown as Output<'getPolicyText'>;
    expect(answer.headers.get('content-language')).toBe('de');
    expect(Object.keys(formats)).toEqual(['ucp']);
    expect(formats.ucp?.document).toMatchObject({
      type: 'dev.ucp.shopping.policy.return',
      window: { days: 30, anchor: 'delivered' },
      description: { plain: expect.stringContaining('30 Tage nach der Lieferung') },
    });
  });

  it('returns no statement when an order may have no policy', async () => {
    const answer = await service.get('/policies/text?country=AQ&date=2020-01-01&channel=none');
    expect(answer).toMatchObject({ status: 200, body: { statements: [], date: '2020-01-01' } });
  });

  it.each([
    ['?channel=web', '/country', 'required'],
    ['?country=Portugal', '/country', 'pattern'],
    ['?country=PT&date=2026-02-30', '/date', 'format'],
    ['?country=PT&date=tomorrow', '/date', 'pattern'],
    ['?country=PT&language=it', '/language', 'enum'],
    ['?country=PT&format=pdf', '/format', 'enum'],
  ])('rejects %s', async (query, path, code) => {
    const answer = await service.get(`/policies/text${query}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [expect.objectContaining({ path, code })] },
    });
  });
});
