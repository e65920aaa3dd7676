import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsEveryCase } from '../support/samples.ts';
import { assigneeJourneys } from './assignee-journeys.ts';
import { startBrowser } from './browser.ts';
import { runJourney } from './journeys.ts';
import { officeJourneys } from './office-journeys.ts';
import { placeJourneys } from './place-journeys.ts';
import { portugueseJourneys } from './portuguese-journeys.ts';
import { queueJourneys } from './queue-journeys.ts';
import { returnJourneys } from './return-journeys.ts';
import { shellJourneys } from './shell-journeys.ts';
import { workJourneys } from './work-journeys.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => browser.close());

const journeys = [
  ...shellJourneys,
  ...returnJourneys,
  ...workJourneys,
  ...officeJourneys,
  ...placeJourneys,
  ...queueJourneys,
  ...assigneeJourneys,
  ...portugueseJourneys,
].filter(({ quick }) => quick === true || runsEveryCase());

describe('a person in the console', () => {
  it.each(journeys)('$title', async (journey) => {
    expect(await runJourney(browser, journey)).toEqual([]);
  });
});
