import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Output } from '../../../lib/contract/contract.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import type { Sample } from '../statistics.ts';

type Items = Output<'listReturns'>['items'];

const pageSize = 50;

/** Returns the seconds of the main thread that each kind of work took so far. */
const metricsOf = async (session: CDPSession): Promise<Readonly<Record<string, number>>> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
};

const measured = async (session: CDPSession, work: () => Promise<void>): Promise<Sample> => {
  const before = await metricsOf(session);
  await work();
  const after = await metricsOf(session);
  const ms = (name: string): number => 1000 * ((after[name] ?? 0) - (before[name] ?? 0));
  return {
    'script ms': ms('ScriptDuration'),
    'layout ms': ms('LayoutDuration') + ms('RecalcStyleDuration'),
    'task ms': ms('TaskDuration'),
  };
};

/** Changes the address as a link of the console does. */
const goTo = async (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);

/** Runs in the page: reads the elements of the shown rows. */
const copyTable = `{
  const read = (node) => node.nodeType === 3 ? node.data : {
    name: node.localName,
    attributes: [...node.attributes].map(({ name, value }) => [name, value]),
    children: [...node.childNodes].filter(({ nodeType }) => nodeType === 1 || nodeType === 3).map(read),
  };
  window.writtenTable = [...document.querySelectorAll('main tbody tr')].map(read);
}`;
/** Runs in the page: makes the same elements, in a timer, because the browser does not count an evaluation as script. */
const makeTable = `new Promise((resolve) => setTimeout(() => {
  const make = (written) => {
    if (typeof written === 'string') return document.createTextNode(written);
    const node = document.createElement(written.name);
    for (const [name, value] of written.attributes) node.setAttribute(name, value);
    for (const child of written.children) node.append(make(child));
    return node;
  };
  document.querySelector('main .bare')?.remove();
  const table = document.createElement('table');
  table.className = 'bare';
  const body = document.createElement('tbody');
  table.append(body);
  document.querySelector('main').append(table);
  for (let start = 0; start < window.writtenTable.length; start += ${pageSize})
    body.append(...window.writtenTable.slice(start, start + ${pageSize}).map(make));
  // The browser has drawn the table in the second frame from here.
  requestAnimationFrame(() => requestAnimationFrame(resolve));
}))`;

/** Answers the list of the API with pages of these items. The stack has forty returns. */
const answerList = async (page: Page, items: Items): Promise<void> => {
  await page.route(/\/v1\/returns\?/, async (route) => {
    const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const end = start + pageSize;
    await route.fulfill({
      json: { items: items.slice(start, end), nextCursor: end < items.length ? String(end) : null },
    });
  });
};

/** Opens the queue of the console in a new profile, signed in, with a list of these items. */
export const openQueue = async (browser: Browser, { console: users, web }: StackInfo, items: Items) => {
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1400, height: 900 } });
  await answerList(page, items);
  const [person] = users.users;
  await page.goto(`${web?.url}/console`);
  await page.getByRole('button', { name: person?.name ?? '' }).click();
  await page.locator('header.top').waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const row = page.locator('main tbody tr');
  return {
    /** Goes from another screen to the queue, and loads pages until it has the given number of rows. */
    show: async (rows: number): Promise<Sample> => {
      await goTo(page, '/console/policies');
      await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
      return measured(session, async () => {
        await goTo(page, '/console');
        for (let shown = pageSize; ; shown += pageSize) {
          await row.nth(shown - 1).waitFor();
          if (shown >= rows) return;
          await page.getByRole('button', { name: 'Load more' }).click();
        }
      });
    },
    /** Makes the elements of the shown rows by a script without a library, in pages of the same size. */
    copy: async (): Promise<Sample> => {
      await page.evaluate(copyTable);
      return measured(session, async () => page.evaluate(makeTable));
    },
  };
};
