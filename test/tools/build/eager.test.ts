import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { compiledAtOnce } from '../../../lib/tools/build/slim/plugin.ts';
import { functionBundle } from '../../support/bundles.ts';

describe('functions that V8 compiles at once', () => {
  it.each([
    ['const a = () => 1, b = async (x) => x;', 'const a = (() => 1), b = (async (x) => x);'],
    ['f(function () {}, async function* g() {});', 'f((function () {}), (async function* g() {}));'],
    ['a = (b) => (c) => b ? (d) => c : d;', 'a = ((b) => ((c) => b ? ((d) => c) : d));'],
    ["f('ß🎁', () => '返品');", "f('ß🎁', (() => '返品'));"],
    ['const { a = () => 1 } = {};', 'const { a = (() => 1) } = {};'],
  ])('are marked: %s', (source, hinted) => {
    expect(compiledAtOnce('a.js', source)).toBe(hinted);
  });

  it.each([
    'function f() {} export default function () {}',
    'const a = { b() {}, get c() { return 1; }, async *d() {}, [e]() {} };',
    'class A { constructor() {} static b() {} #c() {} }',
  ])('are not marked without an expression: %s', (source) => {
    expect(compiledAtOnce('a.js', source)).toBe(source);
  });

  it('keep their behaviour', () => {
    const isBoundary = (name: string) => name === 'start' || name === 'end';
    const parsed = (file: string, source: string) => {
      const { program, errors } = parseSync(file, source, { preserveParens: false });
      return JSON.stringify({ program, errors }, (name, value: unknown) => (isBoundary(name) ? undefined : value));
    };
    const files = globSync([
      'lib/{access/{client,net,oauth,secrets},edge/http}/*.ts',
      'node_modules/undici/lib/{core,dispatcher}/*.js',
    ]);
    expect(files.length).toBeGreaterThan(80);
    const changed = files.filter((file) => {
      const source = readFileSync(file, 'utf8');
      return parsed(file, compiledAtOnce(file, source)) !== parsed(file, source);
    });
    expect(changed).toEqual([]);
  });

  it('are still marked after esbuild, also those of CommonJS modules', () => {
    const source = readFileSync(functionBundle('connected', 'getReturn'), 'utf8');
    let marked = 0;
    let all = 0;
    new Visitor({
      ArrowFunctionExpression: ({ start, end }) => {
        all += 1;
        if (source[start - 1] === '(' && source[end] === ')') marked += 1;
      },
    }).visit(parseSync('index.mjs', source).program);
    expect(all).toBeGreaterThan(800);
    // The other functions come from esbuild itself and from the plugin.
    expect(marked / all).toBeGreaterThan(0.95);
  });
});
