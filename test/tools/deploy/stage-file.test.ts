import { describe, expect, it } from 'vitest';
import { isStageName, parseStage } from '../../../lib/tools/deploy/stage-file.ts';

const right = { mode: 'connected', region: 'eu-central-1', parameters: { A: 'x', B: 2, C: { d: [1] } } };
const errorsOf = (content: unknown) => {
  const parsed = parseStage(typeof content === 'string' ? content : JSON.stringify(content));
  return parsed.ok ? [] : parsed.failure;
};

describe('stage file', () => {
  it('has a mode, a region and parameters: texts, numbers, and objects as JSON', () => {
    expect(parseStage(JSON.stringify(right))).toEqual({
      ok: true,
      value: { ...right, parameters: { A: 'x', B: '2', C: '{"d":[1]}' } },
    });
  });

  it.each<[string, unknown, readonly string[]]>([
    ['no mode', { ...right, mode: undefined }, ['mode must be connected or standalone. It has no default.']],
    ['an unknown mode', { ...right, mode: 'both' }, ['mode must be connected or standalone. It has no default.']],
    [
      'no region',
      { ...right, region: undefined },
      ['region must be a region of AWS, such as eu-central-1. It has no default.'],
    ],
    [
      'an unknown region',
      { ...right, region: 'Frankfurt' },
      ['region must be a region of AWS, such as eu-central-1. It has no default.'],
    ],
    ['no parameters', { ...right, parameters: undefined }, ['parameters must be an object.']],
    [
      'parameters of other types',
      { ...right, parameters: { A: true, B: null, C: ['x'] } },
      ['A', 'B', 'C'].map((name) => `parameter ${name} must be a text such as "on", a number or an object.`),
    ],
    [
      'unknown members',
      { ...right, parameter: {}, colour: 'red' },
      [
        'unknown member parameter. Did you mean parameters?',
        'unknown member colour. There are mode, adapter, region, parameters.',
      ],
    ],
    ['a list', [right], ['must hold an object']],
    ['text that is not JSON', '{', [expect.stringMatching(/^not JSON: /)]],
  ])('is rejected with %s', (_, content, errors) => {
    expect(errorsOf(content)).toEqual(errors);
  });
});

it.each([
  ['prod', true],
  ['prod-2', true],
  ['Prod', false],
  ['../../package', false],
  ['2prod', false],
])('allows the stage name %s: %s', (name, isName) => {
  expect(isStageName(name)).toBe(isName);
});
