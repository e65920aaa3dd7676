import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { standardPolicy } from '../../lib/domain/policies/templates/standard.ts';
import { seed } from '../../lib/tools/local/demo/seed.ts';
import { waitAloud } from '../../lib/tools/local/waits.ts';
import { startBrowser } from '../console/browser.ts';
import { type Place, places } from '../console/places.ts';
import { countReturns, inspectedReturn, requestReturn, shippedReturn } from '../console/shop.ts';
import { settled } from '../console/settled.ts';
import { endVisit, openConsole, type Person, type Visit } from '../console/visit.ts';
import { api, tokenOf } from '../support/api.ts';
import { publishedPolicy } from '../support/policies.ts';
import { stack } from '../support/stack.ts';
import { operator } from '../support/users.ts';

/*
 * `npm run screens` writes a picture of every screen to dist/screens, for a person who looks at them. The queue and the
 * figures have the forty returns of `npm start -- --seed`. The folder README_PICTURES gets those of the README.
 */

const folder = 'dist/screens';
const readmeFolder = process.env['README_PICTURES'] ?? folder;
/** A README loads at once. */
const maxPictureBytes = 120_000;

/** Both colour schemes at three widths, Portuguese, and the colours that a person chose in the system. */
const variants: Readonly<Record<string, Visit>> = {
  ...Object.fromEntries(
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [360, 768, 1400].map((width) => [`${width}-${colorScheme}`, { colorScheme, width }] as const),
    ),
  ),
  portuguese: { locale: 'pt-PT', width: 1400 },
  forced: { forcedColors: 'active', width: 1400 },
};

/** A dialog or a state that a person opens on a screen. */
type Opened = Place & { readonly act: (page: Page) => Promise<void> };

const press = async (page: Page, name: RegExp | string): Promise<void> =>
  page.getByRole('button', { name }).first().click();

const opened = async (): Promise<readonly Opened[]> => {
  const [paid, shipped] = [await inspectedReturn(), await shippedReturn()];
  return [
    {
      name: 'dialog-refund',
      path: `/returns/${paid.returnId}`,
      person: operator,
      act: async (page) => press(page, 'Book a refund'),
    },
    {
      name: 'dialog-receive',
      path: `/returns/${shipped.returnId}`,
      person: operator,
      act: async (page) => press(page, /^Receive/),
    },
    {
      name: 'dialog-keys',
      path: '/',
      person: operator,
      act: async (page) => press(page, /Keys/),
    },
    {
      name: 'station-return',
      path: '/station',
      person: operator,
      act: async (page) => {
        const field = page.getByLabel('Scan or type');
        await field.fill(shipped.trackingNumber);
        await field.press('Enter');
        await page.getByText(/^Return .* is open\./).waitFor();
      },
    },
  ];
};

/** Returns the path of a decision by a policy with many rules. */
const decisionPath = async (): Promise<string> => {
  const seller = randomUUID();
  await publishedPolicy(api('standalone'), { ...standardPolicy, selectors: { sellers: [seller] } });
  const { returnId, service } = await requestReturn({ seller });
  const { body } = await service.get(`/returns/${returnId}`);
  const { decision } = body as unknown as { readonly decision: { readonly decisionId: string } };
  return `/decisions/${decision.decisionId}`;
};

describe('pictures of the console', () => {
  beforeAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const { url } = stack().standalone;
    const token = await tokenOf('returns-admin');
    await waitAloud({ what: 'the forty returns', remedy: 'start again' }, (wait) => seed(url, token, Date.now(), wait));
  }, 600_000);

  it('are written for the README, as far as a window shows', async () => {
    const path = await decisionPath();
    const browser = await startBrowser();
    const tab = await openConsole(browser, operator, { width: 1200, height: 620, colorScheme: 'light' });
    const write = async (name: string) => {
      await settled(tab.page);
      await tab.page.screenshot({ path: `${readmeFolder}/${name}.png` });
      expect((await stat(`${readmeFolder}/${name}.png`)).size).toBeLessThanOrEqual(maxPictureBytes);
    };
    await tab.open('/');
    await write('queue');
    await tab.open(path);
    await settled(tab.page);
    await tab.page.getByLabel('Show').selectOption('matched');
    await tab.page.getByText('Rules, one by one').evaluate((heading) => heading.scrollIntoView({ block: 'center' }));
    await write('decision');
    expect(await endVisit(tab)).toEqual([]);
    await browser.close();
  });

  it('are written for every screen', async () => {
    const [browser, list, more] = [await startBrowser(), await places(), await opened()];
    await countReturns();
    let [written, wanted] = [0, 0];
    for (const [variant, visit] of Object.entries(variants)) {
      // The names of buttons are English.
      const shown: readonly (Place & Partial<Opened>)[] = visit.locale === undefined ? [...list, ...more] : list;
      wanted += shown.length;
      for (const person of new Set(shown.map((place): Person => place.person))) {
        const tab = await openConsole(browser, person, visit);
        for (const { name, path, act } of shown.filter((place) => place.person === person)) {
          await tab.open(path);
          await settled(tab.page);
          await act?.(tab.page);
          if (act !== undefined) await settled(tab.page);
          // A dialog covers the window only.
          const isDialog = name.startsWith('dialog');
          await tab.page.screenshot({ path: `${folder}/${name}-${variant}.png`, fullPage: !isDialog });
          written += 1;
        }
        expect(await endVisit(tab)).toEqual([]);
      }
    }
    await browser.close();
    expect(written).toBe(wanted);
  });
});
