import { describe, expect, it } from 'vitest';
import { demandSameAnswer } from './same-answer.ts';

const answered = (candidate: string, statusCode: number, body: object) => ({
  candidate,
  answer: { statusCode, body: JSON.stringify(body) },
});

const whole = (body: unknown) => body;

describe('demandSameAnswer', () => {
  it('passes when the candidates answer alike, in any order of fields', () => {
    const answers = [
      answered('bare', 200, { id: 1, status: 'requested' }),
      answered('ours', 200, { status: 'requested', id: 1 }),
    ];
    expect(() => demandSameAnswer(200, answers, whole)).not.toThrow();
  });

  it('names a candidate that fails, even when all fail', () => {
    const answers = [answered('bare', 500, {}), answered('ours', 500, {})];
    expect(() => demandSameAnswer(200, answers, whole)).toThrow('bare answered 500, not 200: {}');
  });

  it('names a candidate with another answer, and the answer', () => {
    const answers = [answered('bare', 200, { id: 1 }), answered('ours', 200, { id: 2 })];
    expect(() => demandSameAnswer(200, answers, whole)).toThrow('ours answered {"id":2}\nwhere bare answered {"id":1}');
  });

  it('compares only the visible part', () => {
    const answers = [answered('bare', 201, { id: 1, kept: true }), answered('ours', 201, { id: 2, kept: true })];
    const stored = (body: unknown) => (body as { kept: boolean }).kept;
    expect(() => demandSameAnswer(201, answers, stored)).not.toThrow();
  });
});
