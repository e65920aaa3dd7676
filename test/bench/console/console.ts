import type { Output } from '../../../lib/contract/contract.ts';
import { seed } from '../../../lib/tools/local/demo/seed.ts';
import { waitAloud } from '../../../lib/tools/local/waits.ts';
import { startBrowser } from '../../console/browser.ts';
import { openStack } from '../own-stack.ts';
import { comparisonSection } from '../report.ts';
import type { Bench } from '../settings.ts';
import { compare, type Sample } from '../statistics.ts';
import { openQueue } from './queue.ts';

type List = Output<'listReturns'>;

const rows = 200;
const target = { what: `ms of scripting for ${rows} rows`, metric: 'script ms', maximum: 100 };

/** Returns the rows of the list: copies of the stored returns, each with an id of its own. */
const manyOf = ({ items }: List): List['items'] =>
  Array.from({ length: rows }, (_, index) => {
    const item = items[index % items.length];
    if (item === undefined) throw new Error('the stack has no return');
    const place = String(index).padStart(4, '0');
    return { ...item, returnId: `${item.returnId.slice(0, -4)}${place}`, rmaNumber: `${item.rmaNumber}-${place}` };
  });

/** Measures the queue of the console with many rows, in the browser of the journeys. */
export const consoleBench: Bench = {
  summary: 'the queue of the console with 200 rows, in a browser',
  packages: ['preact', 'playwright-core', '@sparticuz/chromium'],
  defaults: { rounds: 15, warmUp: 3, invocations: 1, seed: 0 },
  unbuilt: true,
  describe: ({ rounds, warmUp }) =>
    `${rounds} rounds after ${warmUp}: the way from another screen to the queue and to its ${rows} rows in four pages, and a script that makes the same elements without a library; milliseconds of the browser's main thread`,
  run: async ({ settings: { rounds, warmUp }, report, held }) => {
    const { info, token } = await openStack(held, { schedules: false });
    const { url } = info.standalone;
    await waitAloud({ what: 'the forty returns', remedy: 'start again' }, (wait) => seed(url, token, Date.now(), wait));
    report('forty returns seeded');
    const headers = { authorization: `Bearer ${token}` };
    const list = (await (await fetch(`${url}/v1/returns?limit=50&include=customer`, { headers })).json()) as List;
    const browser = await startBrowser();
    held.defer(() => browser.close());
    const queue = await openQueue(browser, info, manyOf(list));
    const [ours, bare]: [Sample[], Sample[]] = [[], []];
    for (let round = 1 - warmUp; round <= rounds; round += 1) {
      ours.push(await queue.show(rows));
      bare.push(await queue.copy());
      report(`round ${round} of ${rounds}`);
    }
    const measured = [
      { candidate: 'bare DOM', samples: bare.slice(warmUp) },
      { candidate: 'ours', samples: ours.slice(warmUp) },
    ];
    return [comparisonSection(compare(`the queue with ${rows} rows`, 'bare DOM', measured), [target])];
  },
};
