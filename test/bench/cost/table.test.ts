import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withBlock } from './block.ts';
import { assumptions, costBlock, costOf, type Measured, type Prices } from './table.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const prices = read('test/bench/cost/prices.json') as Prices;
const measured = read('test/bench/cost/measured.json') as Measured;

describe('cost of a month', () => {
  it('is in the guide as the last measurement and the prices give it', () => {
    const guide = readFileSync('lib/tools/guides/cost.md', 'utf8');
    expect(withBlock(guide, 'cost', costBlock(measured, prices))).toBe(guide);
  });

  it('adds what each return consumes to what the schedules consume', () => {
    const perReturn = {
      apiRequests: 10,
      invocations: 20,
      localMs: 100,
      awsCalls: 40,
      writeUnits: 1_000,
      readUnits: 400,
    };
    const bytes = { logBytes: 10_000, sentBytes: 20_000, storedBytes: 10_000 };
    const nothing = { localMs: 0, awsCalls: 0, writeUnits: 0, logBytes: 0, queues: 0 };
    const perMonth = { ...nothing, scheduledRuns: 1_000_000, readUnits: 8_000_000, alarms: 3, metrics: 2, secrets: 5 };
    const one: Measured = { perReturn: { ...perReturn, ...bytes, sqsRequests: 5, busEvents: 10 }, perMonth };
    const costs = costOf(one, prices, 1_000_000).map(({ name, usd }) => [name, Number(usd.toFixed(4))] as const);
    expect(Object.fromEntries(costs)).toMatchObject({
      'API Gateway, requests': 10,
      'Lambda, requests': 4.2,
      // 100 ms of work and 40 calls of AWS, in seconds of one GB.
      'Lambda, duration': Number((((100 + 40 * assumptions.awsCallMs) * 1_000_000 * 0.0000133334) / 1_000).toFixed(4)),
      'DynamoDB, writes': 625,
      'DynamoDB, reads': 51,
      'SQS, requests': 2.5,
      'EventBridge, schedules': 1,
      'CloudWatch, logs': 5,
      'CloudWatch, alarms and metrics': 0.9,
      'Secrets Manager': 2,
      'data transfer': 1.8,
    });
  });

  it('has the page that states each list price', () => {
    const pages = Object.values(prices.prices).map(({ source }) => source);
    expect(pages.filter((page) => !page.startsWith('https://aws.amazon.com/'))).toEqual([]);
  });

  it('fails for a missing price', () => {
    expect(() => costOf(measured, { ...prices, prices: {} }, 1)).toThrow('the prices have no httpApiPerMillion');
  });
});
