import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inSoak, runsEveryCase } from '../support/samples.ts';
import { scrollsSideways, seriousFindings } from './accessible.ts';
import { startBrowser } from './browser.ts';
import { type Place, places } from './places.ts';
import { settled } from './settled.ts';
import { endVisit, openConsole, type Person, type Visit } from './visit.ts';

/** Each variant of all screens: language, colours and width. `npm test` takes the first. */
const looks: readonly (readonly [string, Visit])[] = [
  ['English, light', { locale: 'en-GB', colorScheme: 'light' }],
  ['Portuguese, dark, narrow', { locale: 'pt-PT', colorScheme: 'dark', width: 360 }],
  ['Brazilian, light, tablet', { locale: 'pt-BR', colorScheme: 'light', width: 768 }],
  ['English, dark', { locale: 'en-GB', colorScheme: 'dark' }],
];

/** A text as an attacker would write it into every field. */
const hostile = `"><img src=x onerror="window.attacked=1"><svg onload="window.attacked=1">{{7*7}}\${7*7}`;

/** The screens that `npm test` looks at. The soak looks at all. */
const usual: ReadonlySet<string> = new Set(['queue', 'return-requested', 'station', 'withdrawal']);

let browser: Browser;
let normal: readonly Place[];

beforeAll(async () => {
  [browser, normal] = await Promise.all([startBrowser(), places()]);
});
afterAll(async () => browser.close());

/** Visits screens in one profile for each person. */
const visitAll = async (
  list: readonly Place[],
  visit: Visit,
  check: (page: Awaited<ReturnType<typeof openConsole>>['page'], place: Place) => Promise<void>,
) => {
  for (const person of new Set(list.map((place): Person => place.person))) {
    const tab = await openConsole(browser, person, visit);
    for (const place of list.filter((each) => each.person === person)) {
      await tab.open(place.path);
      await settled(tab.page);
      await check(tab.page, place);
    }
    expect(await endVisit(tab)).toEqual([]);
  }
};

describe('screens of the console', () => {
  it.each(looks.filter((_, index) => index === 0 || runsEveryCase()))(
    'have no serious finding of axe-core, and do not scroll sideways (%s)',
    async (_, visit) => {
      const findings: unknown[] = [];
      const list = normal.filter(({ name }) => runsEveryCase() || usual.has(name));
      await visitAll(list, visit, async (page, { name }) => {
        for (const finding of await seriousFindings(page)) findings.push(`${name}: ${finding}`);
        if (await scrollsSideways(page)) findings.push(`${name}: scrolls sideways`);
      });
      expect(findings).toEqual([]);
    },
  );

  it.each(inSoak('show texts of attackers as texts'))('%s', async () => {
    await visitAll(await places(hostile), {}, async (page, { name }) => {
      expect([name, await page.evaluate('window.attacked')]).toEqual([name, undefined]);
      expect([name, await page.locator('main img[src="x"], main svg[onload]').count()]).toEqual([name, 0]);
    });
  });
});
