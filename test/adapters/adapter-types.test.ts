import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/* What an adapter must have is checked by the compiler, so these tests run it on small adapters. */

const from = (file: string): string => JSON.stringify(resolve('lib/adapters', file));

/** An adapter that compiles. */
const whole = `
import type { Adapter } from ${from('adapter.ts')};
import { path } from ${from('path.ts')};

type Rma = { id: number; state: 'OPEN' | 'CLOSED'; order: string; opened: string; items: { id: string; count: number }[] };

export const adapter: Adapter<Rma['state'], 'getReturn' | 'receive'> = {
  name: 'acme',
  title: 'ACME',
  parameters: {},
  states: { OPEN: 'approved', CLOSED: 'completed' },
  otherwise: 'requested',
  failures: { 404: 'return_not_found' },
  probe: ({ send }) => send({ method: 'GET', path: path\`/rma\` }),
  operations: {
    getReturn: {
      accepts: [],
      run: async ({ returnId }, { send }) => {
        const { body } = await send<Rma>({ method: 'GET', path: path\`/rma/\${returnId}\` });
        return {
          returnId: String(body.id),
          state: body.state,
          order: { orderId: body.order },
          createdAt: body.opened,
          lines: body.items.map(({ id, count }) => ({ lineId: id, quantities: { requested: count } })),
        };
      },
    },
    receive: {
      accepts: ['lines', 'lines.lineId', 'lines.quantity'],
      repeat: { rule: 'never' },
      run: async ({ returnId }, { send }) => {
        const { body } = await send<Rma>({ method: 'POST', path: path\`/rma/\${returnId}/receipt\` });
        return {
          returnId: String(body.id),
          state: body.state,
          order: { orderId: body.order },
          createdAt: body.opened,
          lines: body.items.map(({ id, count }) => ({ lineId: id, quantities: { requested: count } })),
        };
      },
    },
  },
};
`;

const replaced = (text: string, by: string): string => {
  if (!whole.includes(text)) throw new Error(`the adapter has no ${text}`);
  return whole.replace(text, by);
};

/** Adapters with one error, and what the compiler says about it. */
const wrong: Readonly<Record<string, readonly [source: string, error: RegExp]>> = {
  'an operation without a mapping': [
    replaced("'getReturn' | 'receive'>", "'getReturn' | 'receive' | 'approve'>"),
    /approve/,
  ],
  'a word of the service without one of ours': [replaced("OPEN: 'approved', ", ''), /OPEN/],
  'a core field that is not filled': [replaced('          createdAt: body.opened,\n', ''), /createdAt/],
  'a word of the service as our status': [replaced('state: body.state,', 'status: body.state,'), /status|state/],
  'a parameter that the access does not have': [
    replaced('parameters: {}', "parameters: { ServicePth: '/' }"),
    /ServicePth/,
  ],
  'a status that is none of ours': [replaced("CLOSED: 'completed'", "CLOSED: 'CLOSED'"), /CLOSED/],
  'a line without an id where a command names lines': [replaced('{ lineId: id, quantities', '{ quantities'), /lineId/],
  'a path that is not built by the template': [replaced('path: path`/rma`', "path: '/rma'"), /Path/],
  'a field that the operation does not have': [replaced("'lines.quantity'", "'lines.count'"), /lines\.count/],
  'a command without a rule for repeats': [replaced("      repeat: { rule: 'never' },\n", ''), /repeat/],
};

let folder: string;
let errors: readonly string[];

const run = (file: string, args: readonly string[]): Promise<string> =>
  new Promise((resolved) => execFile(file, args, { maxBuffer: 2 ** 24 }, (_, stdout) => resolved(stdout)));

const fileOf = (index: number): string => `wrong-${index}.ts`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adapters-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'whole.ts'), whole);
  await Promise.all(Object.values(wrong).map(([source], index) => writeFile(join(folder, fileOf(index)), source)));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: resolve('tsconfig.json'),
      compilerOptions: { typeRoots: [resolve('node_modules/@types')] },
      include: [join(folder, '*.ts')],
      exclude: [],
    }),
  );
  const output = await run(resolve('node_modules/.bin/tsc'), ['--noEmit', '-p', folder]);
  // The details of an error are on indented lines.
  errors = output.split(/\n(?=\S)/).filter((error) => error.includes(': error TS'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const errorsIn = (file: string): readonly string[] => errors.filter((error) => error.includes(file));

describe('types of an adapter', () => {
  it('accept an adapter that maps what it offers', () => {
    expect(errorsIn('whole.ts')).toEqual([]);
    // No other file of the project is wrong, which would hide the errors.
    expect(errors.filter((error) => !error.includes('wrong-'))).toEqual([]);
  });

  it.each(Object.entries(wrong).map(([name, [, error]], index) => [name, error, index] as const))(
    'reject %s',
    (_, error, index) => {
      const found = errorsIn(fileOf(index));
      expect(found.length).toBeGreaterThan(0);
      expect(found.join('\n')).toMatch(error);
    },
  );
});
