import { describe, expect, it } from 'vitest';
import { addedCpu, addedMs, addedTo, sameAnswers, visibleIn } from './cold-start.ts';

describe('addedTo', () => {
  it('subtracts the medians of the empty handler from each start', () => {
    const starts = (...times: readonly (readonly [number, number])[]) =>
      times.map(([ms, cpu]) => ({ [addedMs]: ms, [addedCpu]: cpu }));
    const base = { candidate: 'empty', samples: starts([20, 30], [90, 31], [22, 35]) };
    const one = { candidate: 'ours', samples: starts([70, 90], [80, 85]) };
    expect(addedTo(base, one)).toEqual({ candidate: 'ours', samples: starts([48, 59], [58, 54]) });
  });
});

describe('visibleIn', () => {
  const visible = visibleIn(200, (body) => (body as { status: string }).status);

  it('returns the visible part of the body', () => {
    expect(visible({ statusCode: 200, body: '{"status":"approved","id":1}' })).toBe('approved');
  });

  it('returns an empty body as it is', () => {
    expect(visible({ statusCode: 200, body: '' })).toBe('');
  });

  it('throws on another status', () => {
    expect(() => visible({ statusCode: 409, body: '{"code":"used"}' })).toThrow(
      'answered 409, not 200: {"code":"used"}',
    );
  });
});

describe('sameAnswers', () => {
  it('accepts answers whose visible parts are equal', () => {
    const check = sameAnswers((answer) => (answer as { kind: string }).kind);
    check('bare', { kind: 'a', at: 1 });
    expect(() => check('ours', { kind: 'a', at: 2 })).not.toThrow();
  });

  it('names both candidates when their answers differ', () => {
    const check = sameAnswers((answer) => answer);
    check('bare', { batchItemFailures: [] });
    expect(() => check('ours', { batchItemFailures: ['1'] })).toThrow(
      'ours answered {"batchItemFailures":["1"]}\nwhere bare answered {"batchItemFailures":[]}',
    );
  });
});
