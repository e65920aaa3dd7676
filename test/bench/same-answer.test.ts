import { describe, expect, it } from 'vitest';
import { sameAnswers } from './same-answer.ts';

const answer = (statusCode: number, body: object) => ({ statusCode, body: JSON.stringify(body) });

describe('sameAnswers', () => {
  it('accepts answers whose visible parts are equal, in any order of fields', () => {
    const check = sameAnswers((body) => ({ ...(body as object), at: undefined }));
    check('bare', answer(200, { id: 1, status: 'requested', at: 1 }));
    expect(() => check('ours', answer(200, { status: 'requested', id: 1, at: 2 }))).not.toThrow();
  });

  it('names a candidate that fails, even when all fail', () => {
    expect(() => sameAnswers()('bare', answer(500, {}))).toThrow('bare answered 500: {}');
  });

  it('names both candidates when their answers differ, also without a status', () => {
    const check = sameAnswers();
    check('bare', { batchItemFailures: [] });
    expect(() => check('ours', { batchItemFailures: ['1'] })).toThrow(
      'ours answered {"batchItemFailures":["1"]}\nwhere bare answered {"batchItemFailures":[]}',
    );
  });
});
