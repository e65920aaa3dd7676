import { describe, expect, it } from 'vitest';
import { adopt } from '../../../lib/tools/adopt/adopt.ts';
import { adopted, failureOf, sourceOf } from './adopted.ts';
import { acme, bytesOf } from './descriptions.ts';

const withSchema = (schema: unknown) => ({
  ...acme,
  components: { ...acme.components, schemas: { ...acme.components.schemas, Rma: schema } },
});

describe('a hostile description', () => {
  it.each([
    { it: 'with more than 5 MB', text: `{"a":"${'x'.repeat(5_000_000)}"}`, code: 'too_large', path: '' },
    { it: 'with deep lists of JSON', text: `{"a":${'['.repeat(101)}${']'.repeat(101)}}`, code: 'too_deep' },
    { it: 'with a million brackets of YAML', text: '['.repeat(1_000_000), code: 'too_deep', path: '' },
    { it: 'with deep lists of YAML', text: '- '.repeat(2_000), code: 'too_deep' },
    { it: 'with objects of YAML in one line', text: 'a: '.repeat(5), code: 'not_parseable' },
    { it: 'with an alias that contains itself', text: 'openapi: &a [*a]', code: 'too_deep' },
    {
      it: 'with two thousand aliases',
      text: `a: &a 1\nb: [${'*a,'.repeat(2_000)}]`,
      code: 'too_many_aliases',
      path: '',
    },
    { it: 'with an alias without an anchor', text: 'a: *b', code: 'not_parseable' },
    { it: 'with two documents of YAML', text: 'a: 1\n---\nb: 2', code: 'not_parseable' },
    { it: 'with an empty file', text: '', code: 'version_unknown', path: '#/swagger' },
    { it: 'with a version of the future', text: 'openapi: 4.0.0', code: 'version_unknown', path: '#/openapi' },
    { it: 'without paths', text: 'openapi: 3.1.0', code: 'wrong_shape', path: '#/paths' },
  ])('$it is $code', ({ text, code, path }) => {
    const failure = failureOf(text);
    expect(failure).toMatchObject({ code, ...(path !== undefined && { path }) });
    expect(failure.accepted).not.toBe('');
  });

  it('with a bomb of aliases has too many values', () => {
    const levels = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const list = (name: string) => Array.from({ length: 9 }, () => `*${name}`).join();
    const bomb = levels.map(
      (name, index) => `${name}: &${name} [${list(index === 0 ? 'a' : (levels[index - 1] ?? ''))}]`,
    );
    expect(failureOf(`a: &a [1,1,1,1,1,1,1,1,1]\n${bomb.join('\n')}`).code).toBe('too_many_values');
  });

  it('may have thousands of texts that look like aliases', () => {
    const texts = Array.from({ length: 2_000 }, (_, index) => `x${index}: |-\n  **Note**`);
    expect(adopt(bytesOf(['openapi: 3.0.0', 'paths: {}', ...texts].join('\n')), 'acme').ok).toBe(true);
  });

  it('that is no UTF-8 is no text', () => {
    const result = adopt(Uint8Array.of(0x7b, 0xff, 0x7d), 'acme');
    expect(result).toMatchObject({ ok: false, failure: { code: 'not_text' } });
  });

  it('that takes too long is too slow', () => {
    expect(adopt(bytesOf('a: 1\n'.repeat(200_000)), 'acme', undefined, 0.001)).toMatchObject({
      ok: false,
      failure: { code: 'too_slow' },
    });
  });

  it.each(['https://example.com/openapi.json#/Rma', './schemas.yaml#/Rma', '/etc/passwd', 'Rma'])(
    'with the reference %s names its place, and reads nothing',
    (reference) => {
      const failure = failureOf(withSchema({ $ref: reference }));
      expect(failure).toMatchObject({ code: 'reference_not_local', path: '#/components/schemas/Rma/$ref' });
    },
  );

  it('with a reference without a target names its place', () => {
    expect(failureOf(withSchema({ $ref: '#/components/schemas/constructor' }))).toMatchObject({
      code: 'reference_not_found',
      path: '#/components/schemas/Rma/$ref',
    });
  });

  it('with references in a loop names the place of the first', () => {
    expect(failureOf(withSchema({ $ref: '#/components/schemas/Rma' })).code).toBe('reference_loop');
  });
});

describe('hostile names', () => {
  const names = [
    '__proto__',
    'constructor',
    '*/ alert(1) /*',
    '`${process.exit()}`',
    "'; throw 1; '",
    '"\u2028',
    '\ud800',
    '',
  ];
  const hostile = JSON.parse(
    JSON.stringify(
      withSchema({
        type: 'object',
        required: ['status'],
        properties: {
          status: { type: 'string', enum: names },
          ...Object.fromEntries(names.map((name) => [name, { $ref: '#/components/schemas/Line' }])),
        },
      }),
    ),
  ) as typeof acme;

  it('reach TypeScript only as text', () => {
    const result = adopted(hostile);
    sourceOf(result, 'service.ts');
    const adapter = sourceOf(result, 'adapter.ts');
    expect(adapter).toContain('["__proto__"]: todo(');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('of paths are encoded in templates, and replaced in the README', () => {
    const path = '/returns/`${1}`\\n<b>/{returnId}|\u001b[31m';
    const result = adopted({ ...acme, paths: { [path]: { get: acme.paths['/rmas'].get }, '/returns/x${1}`': {} } });
    for (const name of ['adapter.ts', 'service.ts']) sourceOf(result, name);
    const readme = result.files.get('README.md') ?? '';
    for (const text of ['<', '>', '\u001b', '${']) expect(readme).not.toContain(text);
    expect(
      readme
        .split('\n')
        .filter((line) => line.includes('|'))
        .every((line) => line.endsWith('|')),
    ).toBe(true);
  });

  it('with steps leave a place instead of a path', () => {
    const result = adopted({ ...acme, paths: { '/../admin/returns/{returnId}': acme.paths['/rmas/{rmaNumber}'] } });
    expect(sourceOf(result, 'adapter.ts')).toContain('path: todo("a path without empty parts and steps", returnId)');
  });

  it('of schemas that give the same identifier stay apart', () => {
    const { schemas } = acme.components;
    const result = adopted({
      ...acme,
      components: {
        schemas: {
          ...schemas,
          'a-b': { type: 'string' },
          A_B: { type: 'number' },
          Rma: {
            type: 'object',
            properties: { x: { $ref: '#/components/schemas/a-b' }, y: { $ref: '#/components/schemas/A_B' } },
          },
        },
      },
    });
    const service = sourceOf(result, 'service.ts');
    expect(service).toContain('export type AB = string;');
    expect(service).toContain('export type AB2 = number;');
  });
});
