import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as operations from '../../../lib/contract/operations.ts';
import { unfitExamples } from '../../support/generated/unfit-examples.ts';

type Media = { example?: unknown; schema?: { properties?: { code?: { enum: string[] } } } };
type Content = { content?: Record<string, Media> };
type Described = {
  operationId: string;
  parameters: { name: string; required: boolean }[];
  description?: string;
  security?: unknown[];
  requestBody?: Content;
  responses: Record<string, Content & { $ref?: string; description: string }>;
};
type Document = { paths: Record<string, Record<string, Described>>; tags: { description?: string }[] };

const file = 'dist/contract/openapi.json';
const read = () => JSON.parse(readFileSync(file, 'utf8')) as Document;
const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods));

describe('OpenAPI document', () => {
  it('shows a valid body for each operation with an input and each with a response', () => {
    expect(unfitExamples(readFileSync(file, 'utf8'))).toEqual([]);
  });

  it('demands an Idempotency-Key exactly where the operation answers 400 without it', () => {
    const keyed = operationsOf(read()).flatMap(({ operationId, parameters }) =>
      parameters.filter(({ name }) => name === 'Idempotency-Key').map(({ required }) => [operationId, required]),
    );
    const expected = Object.values(operations).filter(({ idempotencyKey }) => idempotencyKey);
    expect(new Map(keyed as [string, boolean][])).toEqual(new Map(expected.map(({ name }) => [name, true])));
  });

  it('lists the codes of its schemas in its text', () => {
    for (const { responses } of operationsOf(read())) {
      for (const { $ref, description, content = {} } of Object.values(responses)) {
        if ($ref !== undefined) continue;
        const allowed = content['application/problem+json']?.schema?.properties?.code?.enum ?? [];
        expect(Array.from(description.matchAll(/`(\w+)`/g), ([, code]) => code)).toEqual(allowed);
      }
    }
  });
});
