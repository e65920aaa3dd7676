import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { confirm } from '../../../lib/tools/cli/confirm.ts';
import { openProgress, openTerminal } from '../../../lib/tools/cli/output/terminal.ts';
import { readCatalogue } from '../../../lib/tools/cli/catalogue.ts';
import { recordLines } from '../../../lib/tools/cli/output/record.ts';
import { shownColumns } from '../../../lib/tools/cli/run/list.ts';
import { openTable } from '../../../lib/tools/cli/output/table.ts';

/** A terminal of a person, as Node describes it. */
const tty = (columns = 60) => Object.assign(new PassThrough(), { isTTY: true, columns });

const processOf = (env: Readonly<Record<string, string>>, isTty: boolean) => {
  const stream = () => (isTty ? tty() : new PassThrough());
  return { stdin: stream(), stdout: stream(), stderr: stream(), env };
};

describe('terminal', () => {
  it.each([
    ['on a terminal', {}, true, true],
    ['in a pipe', {}, false, false],
    ['with NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['with an empty NO_COLOR', { NO_COLOR: '' }, true, true],
    ['on a dumb terminal', { TERM: 'dumb' }, true, false],
  ])('decides on colours %s', (_, env, isTty, colours) => {
    const terminal = openTerminal(processOf(env, isTty));
    expect(terminal.paint('bold', 'x')).toBe(colours ? '\u001b[1mx\u001b[0m' : 'x');
    expect(terminal.isInteractive).toBe(isTty);
  });
});

describe('progress', () => {
  it('is one line with a bar that never exceeds the terminal', async () => {
    const stderr = tty();
    const progress = openProgress({ showsProgress: true, stderr });
    progress.update('backtest running: 25 examined\u001b[2J', 25, 100);
    progress.update('x'.repeat(200));
    progress.end();
    stderr.end();
    const [, first = '', second = '', last] = (await text(stderr)).split('\r\u001b[2K');
    expect(first).toBe('[######------------------] 25 %  backtest running: 25 exami');
    expect([second.length, last]).toEqual([59, '']);
  });

  it('is silent where stderr is no terminal', async () => {
    const stderr = new PassThrough();
    const progress = openProgress({ showsProgress: false, stderr });
    progress.update('x', 1, 2);
    progress.end();
    stderr.end();
    expect(await text(stderr)).toBe('');
  });
});

describe('confirmation', () => {
  it.each([
    ['y', true],
    ['YES', true],
    ['', false],
    ['no', false],
    ['yesterday', false],
  ])('takes the answer %j', async (answer, confirmed) => {
    const [stdin, stderr] = [tty(), tty()];
    const asked = confirm({ stdin, stderr }, 'The draft will decide returns.', new AbortController().signal);
    stdin.write(`${answer}\n`);
    expect(await asked).toBe(confirmed);
    stderr.end();
    expect(await text(stderr)).toContain('The draft will decide returns. Continue? [y/N]');
  });

  it('ends when the command is interrupted', async () => {
    const interrupted = new AbortController();
    const asked = confirm({ stdin: tty(), stderr: tty() }, 'Sure?', interrupted.signal);
    interrupted.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('table', () => {
  it('aligns columns, and shortens cells for a terminal only', () => {
    const rows = [
      { id: 'a'.repeat(60), name: 'n'.repeat(80) },
      { id: 'b', name: 'Zoë 👩‍👩‍👧 x' },
    ];
    const wide = openTable({ columns: ['id', 'name'], width: undefined }).lines(rows);
    expect(wide.rows[0]).toBe(`${'a'.repeat(60)}  ${'n'.repeat(80)}`);
    const narrow = openTable({ columns: ['id', 'name'], width: 70 }).lines(rows);
    expect(narrow.rows).toEqual([`${'a'.repeat(60)}  nnnnnnn…`, `b${' '.repeat(61)}Zoë 👩‍👩‍👧 x`]);
  });

  it('of intents says what each waits for, and why', () => {
    const lists = readCatalogue().offered.filter(({ operation: { name } }) => name === 'listIntents');
    expect(lists.map(shownColumns)).toEqual([
      ['intentId', 'status', 'action', 'order', 'reason', 'heldBy.intentId', 'returnId', 'plannedAt'],
    ]);
  });

  it('shows amounts in the major unit of their currency', () => {
    const amounts = { eur: 1999, jpy: 500, kwd: -1234 };
    const record = Object.fromEntries(
      Object.entries(amounts).map(([code, amount]) => [code, { amount, currency: code.toUpperCase() }]),
    );
    expect(recordLines({ ...record, other: { amount: 5, currency: 'XXX' } }, undefined)).toEqual([
      'eur    19.99 EUR',
      'jpy    500 JPY',
      'kwd    -1.234 KWD',
      'other  5 minor units of XXX',
    ]);
  });

  it('shows lists of objects below the fields of a record', () => {
    expect(
      recordLines({ id: 'r', tags: ['a', 'b'], order: { platform: 'web' }, lines: [{ sku: 'S', quantity: 2 }] }, 80),
    ).toEqual([
      'id              r',
      'tags            a, b',
      'order.platform  web',
      '',
      'lines (1)',
      '  sku  quantity',
      '  S    2',
    ]);
  });
});
