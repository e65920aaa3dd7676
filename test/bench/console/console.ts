import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Output } from '../../../lib/contract/contract.ts';
import { seed } from '../../../lib/local/demo/seed.ts';
import { buildAndPackage } from '../../../lib/local/bundles.ts';
import { startStack } from '../../../lib/local/stack.ts';
import { waitAloud } from '../../../lib/local/waits.ts';
import { startBrowser } from '../../console/browser.ts';
import { comparisonSection } from '../report.ts';
import type { Bench, Settings } from '../settings.ts';
import { adminTokenOf } from '../stack-token.ts';
import { compare, type Sample } from '../statistics.ts';
import { compareWithTarget } from '../targets.ts';
import { openQueue, type Queue } from './queue.ts';

type List = Output<'listReturns'>;

const rows = 200;
const target = { what: `ms of scripting for ${rows} rows`, maximum: 100 };

/** Returns the rows of the list: copies of the stored returns, each with an id of its own. */
const manyOf = ({ items }: List): List['items'] =>
  Array.from({ length: rows }, (_, index) => {
    const item = items[index % items.length];
    if (item === undefined) throw new Error('the stack has no return');
    const place = String(index).padStart(4, '0');
    return { ...item, returnId: `${item.returnId.slice(0, -4)}${place}`, rmaNumber: `${item.rmaNumber}-${place}` };
  });

const measure = async (queue: Queue, { rounds, warmUp }: Settings, report: (progress: string) => void) => {
  const [ours, bare]: [Sample[], Sample[]] = [[], []];
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const shown = await queue.show(rows);
    const copied = await queue.copy();
    if (round < warmUp) continue;
    ours.push(shown);
    bare.push(copied);
    report(`round ${ours.length} of ${rounds}`);
  }
  return { ours, bare };
};

/** Measures the queue of the console with many rows, in the browser of the journeys. */
export const consoleBench: Bench = {
  summary: 'the queue of the console with 200 rows, in a browser',
  packages: ['preact', 'playwright-core', '@sparticuz/chromium'],
  defaults: { rounds: 15, warmUp: 3, invocations: 1, seed: 0 },
  describe: ({ rounds, warmUp }) =>
    `${rounds} rounds after ${warmUp}: the way from another screen to the queue and to its ${rows} rows in four pages, and a script that makes the same elements without a library; milliseconds of the browser's main thread`,
  run: async (settings, report) => {
    const root = await buildAndPackage();
    const dataDir = await mkdtemp(join(tmpdir(), 'returns-bench-'));
    const stack = await startStack({ dataDir, root, streams: false, schedules: false });
    const browser = await startBrowser();
    try {
      const { url } = stack.info.standalone;
      const token = await adminTokenOf(stack.info);
      await waitAloud({ what: 'the forty returns', remedy: 'start again' }, (wait) =>
        seed(url, token, Date.now(), wait),
      );
      report('forty returns seeded');
      const headers = { authorization: `Bearer ${token}` };
      const list = (await (await fetch(`${url}/v1/returns?limit=50&include=customer`, { headers })).json()) as List;
      const queue = await openQueue(browser, stack.info, manyOf(list));
      const { ours, bare } = await measure(queue, settings, report);
      const measured = [
        { candidate: 'bare DOM', samples: bare },
        { candidate: 'ours', samples: ours },
      ];
      const comparison = compare(`the queue with ${rows} rows`, 'bare DOM', measured);
      const median = comparison.rows.find(({ candidate }) => candidate === 'ours')?.metrics['script ms']?.median;
      return [comparisonSection(comparison, [compareWithTarget(target, median ?? Number.NaN)])];
    } finally {
      await browser.close();
      await stack.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
