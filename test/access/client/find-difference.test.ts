import * as shapes from '#contract/answers.js';
import { describe, expect, it } from 'vitest';
import { findDifference } from '../../../lib/access/client/find-difference.ts';
import type { AnswerShape } from '../../../lib/contract/answer-shape.ts';
import type { OperationName } from '../../../lib/contract/contract.ts';
import * as operations from '../../../lib/contract/operations.ts';
import { exampleAnswer, exampleItem } from '../../support/example-answer.ts';

const shapeOf: Readonly<Record<OperationName, AnswerShape>> = shapes;
const names = Object.values(operations).map(({ name }) => name);
const marker = 'marker-2f7a';

describe('findDifference', () => {
  it.each(names)('finds none between the example of %s and its shape', (name) => {
    expect(findDifference(exampleAnswer(name), shapeOf[name])).toBeUndefined();
  });

  it.each(names)('finds one in an answer of another service to %s', (name) => {
    expect(findDifference({ id: 12_345, state: 'OPEN', error: marker }, shapeOf[name])).toBeDefined();
  });

  it.each<[string, object, string, string]>([
    ['no list', { lines: {} }, '/lines', 'a list'],
    ['an unknown status', { status: 'RETURNED' }, '/status', 'one of requested, info_requested, approved'],
    ['an id of another form', { returnId: marker }, '/returnId', 'an id that begins with ret_'],
    [
      'an id of another resource',
      { returnId: 'lin_01KAJ3V9Z8QW4T6R2M5N7P0XYB' },
      '/returnId',
      'an id that begins with',
    ],
    ['a number as text', { version: '3' }, '/version', 'integer'],
    ['a fraction', { version: 1.5 }, '/version', 'integer'],
    ['no object', { order: null }, '/order', 'an object'],
    ['a text as a number', { createdAt: 1_795_248_000 }, '/createdAt', 'string'],
    ['a map that is a list', { metadata: [] }, '/metadata', 'object'],
    ['a missing member', { lines: undefined }, '/lines', 'present'],
    ['a wrong optional member', { customer: marker }, '/customer', 'an object'],
    ['a member of an item', { lines: [{ [marker]: marker }] }, '/lines/0/lineId', 'present'],
  ])('names the place of %s in a return, and no value', (_, members, path, expected) => {
    const difference = findDifference(exampleAnswer('getReturn', members), shapes.getReturn);
    expect(difference).toEqual({ path, expected: expect.stringContaining(expected) });
    expect(JSON.stringify(difference)).not.toContain(marker);
  });

  it('names the item of a list', () => {
    const items = [exampleItem('listReturns'), exampleItem('listReturns', { returnId: 7 })];
    expect(findDifference({ items, nextCursor: null }, shapes.listReturns)).toMatchObject({
      path: '/items/1/returnId',
    });
  });

  it('accepts members and words that a later release adds', () => {
    const later = { added: { by: 'a later release' }, managedBy: 'another', refundStatus: 'other' };
    expect(findDifference(exampleAnswer('getReturn', later), shapes.getReturn)).toBeUndefined();
  });

  it.each([null, 'text', 7, true, []])('names the whole body where it is %j', (body) => {
    expect(findDifference(body, shapes.getReturn)).toEqual({ path: '', expected: 'an object' });
  });
});
