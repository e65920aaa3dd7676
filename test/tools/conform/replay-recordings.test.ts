import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { unsupported } from '../../../lib/adapters/failure.ts';
import { readDescription } from '../../../lib/tools/conform/description.ts';
import type { RecordedCase, Recording } from '../../../lib/tools/conform/recording.ts';
import { readRecordings, recordingsFolder } from '../../../lib/tools/conform/recording.ts';
import { replayRecordings } from '../../../lib/tools/conform/replay-recordings.ts';
import { conforms, reportOf } from '../../../lib/tools/conform/report.ts';
import type { AnyAdapter } from '../../../lib/tools/template/adapters/derive-contract.ts';
import { type AdapterBuild, readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { inSoak } from '../../support/samples.ts';

/* Misfits that were planted in the adapter of bol and in its recordings: each one has its difference. */

let build: AdapterBuild;
let recordings: ReadonlyMap<string, Recording>;

beforeAll(async () => {
  const found = await readAdapter('bol');
  if (!found.ok) throw new Error(found.failure);
  build = found.value;
  recordings = await readRecordings(recordingsFolder('bol'));
});

const caseWith = (operation: string, title: string): RecordedCase => {
  const found = recordings.get(operation)?.cases.find((recorded) => recorded.title === title);
  if (found === undefined) throw new Error(`no case ${title}`);
  return found;
};

/** Replays one case of an operation, and returns its differences. */
const differencesIn = async (operation: string, recorded: RecordedCase, changed: AdapterBuild = build) => {
  const only = new Map([[operation, { operation, source: 'a test', cases: [recorded] }]]);
  const rows = await replayRecordings(changed, { recordings: only });
  return rows.find((row) => row.operation === operation)?.differences;
};

/** Returns a case whose JSON has another text. */
const replaced = (recorded: RecordedCase, from: string, to: string): RecordedCase => {
  const text = JSON.stringify(recorded);
  expect(text).toContain(from);
  return JSON.parse(text.replaceAll(from, to)) as RecordedCase;
};

type Mapping = AnyAdapter['operations']['getReturn'];

/** Returns the adapter with another mapping of an operation. */
const withMapping = (name: 'getReturn' | 'inspect', change: (mapping: Mapping) => object): AdapterBuild => {
  const { operations } = build.adapter;
  const changed = { ...operations, [name]: { ...operations[name], ...change(operations[name] as Mapping) } };
  return { ...build, adapter: { ...build.adapter, operations: changed } };
};

describe('replayRecordings', () => {
  it('finds a state that the adapter does not know', async () => {
    const { unknownState: _, ...unexpected } = caseWith('getReturn', 'a result that bol added later');

    expect(await differencesIn('getReturn', unexpected)).toEqual([
      { check: 'states', text: 'a result that bol added later: the state ON_HOLD has no status of ours' },
    ]);
  });

  it('finds a state that was expected to be unknown, and is known', async () => {
    const recorded = { ...caseWith('getReturn', 'an open return'), unknownState: 'ON_HOLD' };

    expect(await differencesIn('getReturn', recorded)).toEqual([
      { check: 'states', text: 'an open return: the state ON_HOLD is known' },
    ]);
  });

  it('finds an answer without a field of the core', async () => {
    const changed = withMapping('getReturn', ({ run }) => ({
      run: async (...parameters: Parameters<typeof run>) => ({ ...(await run(...parameters)), order: {} }),
    }));

    expect(await differencesIn('getReturn', caseWith('getReturn', 'an open return'), changed)).toEqual([
      {
        check: 'answers',
        text: 'an open return: dependency_refused: /order/orderId must be present, GET /retailer/returns/1001 answered 200',
      },
    ]);
  });

  it('finds a mapping that meets an unexpected answer, with its place and without a value', async () => {
    const recorded = caseWith('getReturn', 'an open return');
    const differences = await differencesIn('getReturn', replaced(recorded, '"returnItems"', '"items"'));

    expect(differences).toHaveLength(1);
    expect(differences?.[0]?.text).toMatch(
      /dependency_refused: the body .*, GET \/retailer\/returns\/1001 answered 200, TypeError at .*return-parts\.ts/,
    );
  });

  it('finds a request to another path', async () => {
    const recorded = replaced(caseWith('getReturn', 'an open return'), '/retailer/returns/1001', '/retailer/rma/1001');

    expect(await differencesIn('getReturn', recorded)).toEqual([
      {
        check: 'requests',
        text: 'an open return: sent GET /retailer/returns/1001 instead of GET /retailer/rma/1001',
      },
    ]);
  });

  it('finds a request without a header', async () => {
    const recorded = replaced(caseWith('getReturn', 'an open return'), 'v10+json', 'v11+json');

    expect((await differencesIn('getReturn', recorded))?.[0]).toEqual({
      check: 'requests',
      text:
        'an open return: GET /retailer/returns/1001: sent accept application/vnd.retailer.v10+json ' +
        'instead of application/vnd.retailer.v11+json',
    });
  });

  it('finds a member that the contract does not have', async () => {
    const changed = withMapping('getReturn', ({ run }) => ({
      run: async (...parameters: Parameters<typeof run>) => ({ ...(await run(...parameters)), warehouse: 'North' }),
    }));

    expect(await differencesIn('getReturn', caseWith('getReturn', 'an open return'), changed)).toEqual([
      {
        check: 'answers',
        text: 'an open return: /warehouse is no member of the contract, and is left out',
      },
    ]);
  });

  it('finds a personal datum in a recording', async () => {
    const recorded = replaced(
      caseWith('getReturn', 'a return that bol fulfils, without its customer'),
      '"salutation":"UNKNOWN"',
      '"salutation":"UNKNOWN","streetName":"Dorpstraat"',
    );

    expect(await differencesIn('getReturn', recorded)).toEqual([
      {
        check: 'recorded',
        text:
          'a return that bol fulfils, without its customer: /exchanges/0/answer/body/returnItems/0/customerDetails/' +
          'streetName is a value of a person',
      },
    ]);
  });

  it('finds an input that the deployment does not accept', async () => {
    const recorded = caseWith('inspect', 'two lines');
    const input = { ...recorded.input, dryRun: true, lines: [{ lineId: '86120001', outcome: 'accept', grade: 'A' }] };

    expect(await differencesIn('inspect', { ...recorded, input })).toEqual(
      expect.arrayContaining([
        { check: 'recorded', text: 'two lines: the input must NOT have additional properties dryRun' },
      ]),
    );
  });

  it('finds another code than the expected one', async () => {
    const recorded = caseWith('getReturn', 'an unknown return');
    const other = { ...recorded, failure: { code: 'order_not_found' as const } };

    expect(await differencesIn('getReturn', other)).toEqual([
      {
        check: 'failures',
        text: 'an unknown return: return_not_found, GET /retailer/returns/1999 answered 404 instead of order_not_found',
      },
    ]);
  });

  it('finds a text of the service in a failure', async () => {
    const changed = withMapping('getReturn', () => ({
      run: async () => {
        await Promise.resolve();
        throw unsupported('/returnId', 'Return with id 1999 not found.');
      },
    }));
    const recorded = caseWith('getReturn', 'an unknown return');
    const expected = { ...recorded, failure: { code: 'invalid_request' as const } };

    expect(await differencesIn('getReturn', expected, changed)).toContainEqual({
      check: 'failures',
      text: 'an unknown return: a text of the service is in the failure',
    });
  });

  it('finds a command that is sent twice after its answer was lost', async () => {
    const changed = withMapping('inspect', () => ({ repeat: { rule: 'natural key' } }));
    const recorded = caseWith('inspect', 'a lost answer to a request with an effect');

    expect(await differencesIn('inspect', recorded, changed)).toContainEqual({
      check: 'repeat',
      text:
        'a lost answer to a request with an effect: sent PUT /retailer/returns/86120001 ' +
        'instead of GET /retailer/returns/1001',
    });
  });

  it.each(inSoak('finds a header of keys that the description does not have, because a service ignores it'))(
    '%s',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'description-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const file = join(folder, 'openapi.json');
      const put = { parameters: [{ name: 'X-Request-Id', in: 'header', schema: { type: 'string' } }], responses: {} };
      await writeFile(file, JSON.stringify({ openapi: '3.0.0', paths: { '/retailer/returns/{rmaId}': { put } } }));
      const description = await readDescription([file]);
      const headerDifferences = async (header: string) => {
        const changed = withMapping('inspect', () => ({ repeat: { rule: 'header', header } }));
        const rows = await replayRecordings(changed, { recordings, description });
        return rows.flatMap(({ differences }) => differences.filter(({ text }) => text.includes('there is no header')));
      };

      expect(await headerDifferences('X-Request-Id')).toEqual([]);
      expect(await headerDifferences('X-Requestid')).toContainEqual({
        check: 'requests',
        text: 'accepted units: PUT /retailer/returns/86120001: by the description, there is no header x-requestid',
      });
    },
  );

  it('demands a lost answer for each command, and a case for each operation', async () => {
    const only = new Map([
      ['inspect', { operation: 'inspect', source: 'a test', cases: [caseWith('inspect', 'accepted units')] }],
    ]);
    const rows = await replayRecordings(build, { recordings: only });

    expect(rows.flatMap(({ differences }) => differences)).toEqual([
      { check: 'requests', text: 'no case is recorded: use --record, or write one' },
      { check: 'requests', text: 'no case is recorded: use --record, or write one' },
      { check: 'repeat', text: 'no case has a write with the answer "lost", which shows what a repeat does' },
    ]);
    expect(conforms(rows, [])).toBe(false);
    expect(reportOf('bol', rows)).toMatch(/\nbol differs: 3 differences\.$/);
  });
});
