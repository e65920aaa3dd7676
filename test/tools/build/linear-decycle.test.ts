import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import '../../../lib/tools/template/package/linear-decycle.ts';

type JsonCycle = {
  readonly stringify: (value: unknown, replacer: null, space: number) => string;
  readonly decycle: (value: unknown) => unknown;
};

const requireHere = createRequire(import.meta.url);
/** The package as osls loads it, after the replacement of `stringify`. */
const jsonCycle = createRequire(requireHere.resolve('osls/package.json'))('json-cycle') as JsonCycle;

/** Returns the text of the replaced function, which the package still makes from `decycle`. */
const replacedText = (value: unknown): string => JSON.stringify(jsonCycle.decycle(value), null, 2);

const loop: Record<string, unknown> = { name: 'loop' };
loop['self'] = loop;
const list: unknown[] = [1, 'two'];
list.push(list, { list });
const parent: Record<string, unknown> = { 'a "key" with\nsigns': [] };
parent['children'] = [{ parent }, { parent, of: parent['a "key" with\nsigns'] }];
const shared = { deep: { value: 1 } };
class State {
  readonly own = 1;
  get derived(): number {
    return this.own + 1;
  }
}

/** Counts the executed blocks of both functions, in a process of its own: V8 counts for the whole process. */
const countSteps = `
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
await import('./lib/tools/template/package/linear-decycle.ts');
const jsonCycle = createRequire(createRequire(process.cwd() + '/x').resolve('osls/package.json'))('json-cycle');
const graph = (count) => {
  const nodes = Array.from({ length: count }, (_, at) => ({ at }));
  nodes.forEach((node, at) => Object.assign(node, { nodes, next: nodes[(at + 1) % count] }));
  return nodes;
};
const steps = async (file, run) => {
  await session.post('Profiler.takePreciseCoverage');
  run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const { functions } = result.find(({ url }) => url.endsWith(file));
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
};
const of = async (count) => [
  await steps('linear-decycle.ts', () => jsonCycle.stringify(graph(count), null, 2)),
  await steps('cycle.js', () => jsonCycle.decycle(graph(count))),
];
console.log(JSON.stringify([await of(200), await of(400)]));
`;

describe('the state of a package', () => {
  it.each([
    ['a loop', loop],
    ['a list that contains itself', list],
    ['a parent and its children', parent],
    ['shared objects', { one: shared, other: shared, inner: shared.deep, list: [shared, shared.deep] }],
    ['values with toJSON', { at: new Date(0), url: new URL('https://a.example/b'), own: { toJSON: () => shared } }],
    ['an instance of a class', new State()],
    ['values without JSON', { none: undefined, call: () => 1, list: [undefined, null], text: '$' }],
    ['a plain value', 'text'],
    ['null', null],
  ])('is the same as from json-cycle (%s)', (_, value) => {
    expect(jsonCycle.stringify(value, null, 2)).toBe(replacedText(value));
  });

  it('takes steps in proportion to its objects, unlike json-cycle', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', countSteps], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const [[linear, quadratic], [twice, fourTimes]] = JSON.parse(stdout) as [[number, number], [number, number]];
    expect(twice / linear).toBeCloseTo(2, 1);
    expect(fourTimes / quadratic).toBeGreaterThan(3.5);
  });
});
