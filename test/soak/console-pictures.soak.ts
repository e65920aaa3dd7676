import { mkdir, rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seed } from '../../lib/tools/local/demo/seed.ts';
import { waitAloud } from '../../lib/tools/local/waits.ts';
import { startBrowser } from '../console/browser.ts';
import { type Place, places } from '../console/places.ts';
import { countReturns, inspectedReturn, shippedReturn } from '../console/shop.ts';
import { settled } from '../console/settled.ts';
import { endVisit, openConsole, type Person, type Visit } from '../console/visit.ts';
import { tokenOf } from '../support/api.ts';
import { stack } from '../support/stack.ts';
import { operator } from '../support/users.ts';

/*
 * `npm run screens` writes a picture of every screen to dist/screens, for a person who looks at them. The queue and the
 * figures have the forty returns of `npm start -- --seed`.
 */

const folder = 'dist/screens';

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

describe('pictures of the console', () => {
  it('are written for every screen', async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const { url } = stack().standalone;
    const token = await tokenOf('returns-admin');
    await waitAloud({ what: 'the forty returns', remedy: 'start again' }, (wait) => seed(url, token, Date.now(), wait));
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
