import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { policyFieldErrors } from '../../../lib/domain/policies/check/policy-field-errors.ts';
import { factKinds } from '../../../lib/domain/policies/fact-catalogue.ts';
import { policyDocumentSchemas, publishedApi } from '../../../lib/tools/build/policy-document/published-api.ts';
import { full } from '../../domain/policies/documents.ts';
import { policyArbitrary } from '../../domain/policies/model/generate-policy.ts';
import { runs } from '../../support/samples.ts';

const schemas = policyDocumentSchemas();
const fits = new Ajv2020({ strict: false, validateFormats: false }).compile({
  components: { schemas },
  $ref: '#/components/schemas/PolicyDocument',
});

const mistakes = (document: unknown) => (fits(document) ? [] : (fits.errors ?? []));

/** The errors that no schema can say: they compare parts of a document, or need a calendar or a list of countries. */
const beyondSchemas = new Set(
  'line_fact person_required unknown_use cycle depth nodes duplicate range unknown date instant time_zone unicode'.split(
    ' ',
  ),
);

type Step = string | number;

const isHolder = (value: unknown): value is Record<Step, unknown> => typeof value === 'object' && value !== null;

const pathsIn = (value: unknown, path: readonly Step[] = []): readonly (readonly Step[])[] => [
  path,
  ...(isHolder(value)
    ? Object.entries(value).flatMap(([step, inner]) =>
        pathsIn(inner, [...path, Array.isArray(value) ? Number(step) : step]),
      )
    : []),
];

const removed = Symbol('removed');

/** Returns a copy of a document with another value at a path. */
const replaced = (value: unknown, [step, ...rest]: readonly Step[], by: unknown): unknown => {
  if (step === undefined || !isHolder(value)) return by;
  const inner = replaced(value[step], rest, by);
  if (Array.isArray(value))
    return value.flatMap((item: unknown, at) => (at !== step ? [item] : inner === removed ? [] : [inner]));
  const others = Object.entries(value).filter(([name]) => name !== step);
  return Object.fromEntries(inner === removed ? others : [...others, [step, inner]]);
};

const oddValues = [
  removed,
  null,
  true,
  -1,
  0.5,
  1e15,
  '',
  'x',
  'EUR',
  [],
  ['x'],
  {},
  { fact: 'x', op: 'eq', value: 1 },
];

const changed = fc
  .constantFrom(...pathsIn(full))
  .chain((path) =>
    fc.record({ path: fc.constant(path), by: fc.constantFrom<unknown>(...oddValues), extra: fc.boolean() }),
  );

describe('the schema of policy documents', () => {
  it('accepts each document that the service accepts', () => {
    expect(mistakes(full)).toEqual([]);
    let accepted = 0;
    fc.assert(
      fc.property(policyArbitrary, (policy) => {
        const isAccepted = policyFieldErrors(policy).length === 0;
        accepted += isAccepted ? 1 : 0;
        expect(isAccepted ? mistakes(policy) : []).toEqual([]);
      }),
    );
    expect(accepted).toBeGreaterThan(runs(20));
  });

  it('refuses each change of a document that the service refuses, except what no schema can say', () => {
    let refused = 0;
    fc.assert(
      fc.property(changed, ({ path, by, extra }) => {
        const document = replaced(full, extra ? [...path, 'extra'] : path, by);
        const errors = policyFieldErrors(document);
        if (errors.length > 0 && errors.every(({ code }) => beyondSchemas.has(code))) return;
        refused += errors.length > 0 ? 1 : 0;
        expect({ errors, isRefused: mistakes(document).length > 0 }).toEqual({ errors, isRefused: errors.length > 0 });
      }),
      { numRuns: 400 },
    );
    expect(refused).toBeGreaterThan(200);
  });

  it('explains each fact, and has the standard policy as an example', () => {
    const facts = Object.values(schemas).flatMap(({ oneOf = [] }) => oneOf.filter((value) => 'const' in value));
    expect(new Set(facts.map(({ const: name }) => name))).toEqual(new Set(factKinds.keys()));
    expect(facts.filter(({ description = '' }) => !/^[A-Z].+\.$/.test(description))).toEqual([]);
    const { components } = publishedApi('https://id.example.com/connect/token');
    expect(components.schemas['PolicyDocument']).toMatchObject({ examples: [{ rules: expect.any(Array) }] });
  });

  it('has no field of an expectation that the guide leaves out', () => {
    const guide = readFileSync('lib/tools/guides/policy-reference.md', 'utf8');
    const rows = guide.slice(guide.indexOf('## Golden cases'), guide.indexOf('## Conditions'));
    const { properties = {} } = schemas['PolicyExpectation'] as { properties?: Record<string, { items?: object }> };
    const ofLine = (properties['lines']?.items ?? {}) as { properties?: object };
    const names = [...Object.keys(properties), ...Object.keys(ofLine.properties ?? {})];
    expect(names).toContain('resolutions');
    expect(names.filter((name) => !new RegExp(`[\x60.]${name}\\b`).test(rows))).toEqual([]);
  });
});
