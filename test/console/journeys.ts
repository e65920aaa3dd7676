import type { Browser, Page } from 'playwright-core';
import { endVisit, openConsole, type Person, type Tab, type Visit } from './visit.ts';

/** What one person does in the console from the sign-in to the end. */
export type Journey = {
  readonly title: string;
  readonly person: Person;
  readonly visit?: Visit;
  /** The address below `/console` at which it begins. @default the queue */
  readonly path?: string;
  /** Whether `npm test` runs it. The soak runs all. */
  readonly quick?: true;
  /** Makes what the journey needs by the API, and returns an address below `/console`. */
  readonly before?: () => Promise<string>;
  readonly run: (page: Page, tab: Tab) => Promise<void>;
};

/** Runs a journey in a profile of its own, and returns what the browser complained about. */
export const runJourney = async (browser: Browser, journey: Journey): Promise<readonly string[]> => {
  const path = (await journey.before?.()) ?? journey.path;
  const tab = await openConsole(browser, journey.person, journey.visit, path);
  try {
    await journey.run(tab.page, tab);
  } catch (error) {
    const folder = process.env['JOURNEY_PICTURES'];
    if (folder !== undefined)
      await tab.page.screenshot({ path: `${folder}/${journey.title.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
    throw error;
  }
  return endVisit(tab);
};
