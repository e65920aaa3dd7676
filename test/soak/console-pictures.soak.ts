import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startBrowser } from '../console/browser.ts';
import { places } from '../console/places.ts';
import { settled } from '../console/settled.ts';
import { endVisit, openConsole } from '../console/visit.ts';

/*
 * `npm run screens` writes a picture of every screen to dist/screens, in both colour schemes and three widths, for a
 * person who looks at them.
 */

const folder = 'dist/screens';
const widths = [360, 768, 1400];
const schemes = ['light', 'dark'] as const;

describe('pictures of the console', () => {
  it('are written for every screen', async () => {
    await mkdir(folder, { recursive: true });
    const [browser, list] = await Promise.all([startBrowser(), places()]);
    let written = 0;
    for (const colorScheme of schemes)
      for (const width of widths)
        for (const person of new Set(list.map((place) => place.person))) {
          const tab = await openConsole(browser, person, { colorScheme, width });
          for (const { name, path } of list.filter((place) => place.person === person)) {
            await tab.open(path);
            await settled(tab.page);
            await tab.page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
            written += 1;
          }
          expect(await endVisit(tab)).toEqual([]);
        }
    await browser.close();
    expect(written).toBe(list.length * widths.length * schemes.length);
  });
});
