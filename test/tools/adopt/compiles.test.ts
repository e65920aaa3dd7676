import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { todoDeclaration } from '../../../lib/tools/adopt/todo.ts';
import { adopted, type Hole, holesOf, sourceOf } from './adopted.ts';
import { acme, acmeSwagger, dispatchingYaml, numbered } from './descriptions.ts';
import { inSoak } from '../../support/samples.ts';

/** The places that a person fills in, as the person may fill them. */
const fillings: ReadonlyMap<string, string> = new Map([
  ['the id that people know, as text', 'item.rmaNumber'],
  ['the state, a word of the service', 'item.status'],
  ['the id of the order, as text', 'item.orderId'],
  ['the time of creation; instantOf of ../fields.ts converts one without a zone', 'item.createdAt'],
  ['the requested units', 'line.quantity'],
  ['our status for OPEN', "'requested'"],
  ['our status for APPROVED', "'approved'"],
  ['our status for IN TRANSIT', "'in_transit'"],
  ['our status for DONE', "'completed'"],
  ['our status for a word that the service adds later', "'requested'"],
  ['their scopes for ours', "'returns:read=rma.read'"],
  ['our code for status 404', "'return_not_found'"],
  ['our code for status 409', "'invalid_transition'"],
  ['what the next page needs; undefined on the last page', 'body.nextToken'],
  ['what a repeat does: header, natural key, read first or never (Repeat in ../adapter.ts)', "{ rule: 'never' }"],
]);

/** Places whose filling depends on where they are. */
const byPlace: Readonly<Record<string, readonly string[]>> = {
  'the fields that the service honours; our contract requires these': [
    "['order.orderId', 'lines.quantity']",
    "['code']",
  ],
  'the body of the request': [
    "{ rmaNumber: '', status: 'OPEN', orderId: input.order.orderId, createdAt: '', lines: [] }",
    '{ lineNumber: 1, quantity: input.code.length }',
  ],
};

const byHand = () => {
  const counts = new Map<string, number>();
  return ({ what }: Hole): string | undefined => {
    const count = counts.get(what) ?? 0;
    counts.set(what, count + 1);
    return fillings.get(what) ?? byPlace[what]?.[count];
  };
};

const fill = (adapter: string, byPerson: (hole: Hole) => string | undefined): string => {
  const fillingOf = (hole: Hole): string => {
    const filling = byPerson(hole);
    if (filling === undefined) throw new Error(`no filling for: ${hole.what}`);
    return filling;
  };
  let text = '';
  let from = 0;
  for (const hole of holesOf(adapter)) {
    text += adapter.slice(from, hole.start) + fillingOf(hole);
    from = hole.end;
  }
  return (text + adapter.slice(from)).replace(todoDeclaration, '');
};

/** Compiles an adapter with the settings of the project, as if it were in lib/adapters. Returns all errors. */
const compile = async (adapter: string, service: string): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'adopted-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'adapter.ts'), adapter.replaceAll("from '../", `from '${resolve('lib/adapters')}/`));
  await writeFile(join(folder, 'service.ts'), service);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: resolve('tsconfig.json'), files: ['adapter.ts', 'service.ts'], include: [] }),
  );
  const output = await new Promise<string>((done) => {
    execFile(resolve('node_modules/.bin/tsc'), ['--pretty', 'false'], { cwd: folder }, (_error, stdout) => {
      done(stdout);
    });
  });
  return output.split('\n').filter((line) => line !== '');
};

/** Returns where the compiler reports a place: the line and the column of its text. */
const position = (text: string, { at }: Hole): string => {
  const before = text.slice(0, at).split('\n');
  return `adapter.ts(${before.length},${(before.at(-1) ?? '').length + 1})`;
};

/** The paths need another id before the one of a return, with a name that our contract has too. */
const nested = {
  ...acme,
  paths: {
    '/shops/{returnId}/returns': { get: acme.paths['/rmas'].get, post: acme.paths['/rmas'].post },
    '/shops/{returnId}/returns/{id}': acme.paths['/rmas/{rmaNumber}'],
    '/shops/{returnId}/returns/{id}/receive': { post: acme.paths['/rmas/{rmaNumber}/decline'].post },
  },
};

describe('a new adapter', () => {
  it.each<{ name: string; description: unknown; resource?: string }>([
    { name: 'with proposals of all kinds', description: acme },
    ...inSoak<{ name: string; description: unknown; resource?: string }>(
      { name: 'from Swagger 2.0', description: acmeSwagger },
      { name: 'with one call for several commands', description: dispatchingYaml },
      { name: 'with other ids in its paths', description: nested },
      { name: 'with numbers for ids, states and times', description: numbered, resource: 'sendbacks' },
      { name: 'without proposals', description: { openapi: '3.0.0', paths: {} } },
      {
        name: 'without returns',
        description: { ...acme, paths: { '/sendbacks/{no}': acme.paths['/rmas/{rmaNumber}'] } },
      },
    ),
  ])('$name has an error of the compiler at each place, and no other', async ({ description, resource }) => {
    const result = adopted(description, resource);
    const text = sourceOf(result, 'adapter.ts');
    const holes = holesOf(text);
    const errors = await compile(text, sourceOf(result, 'service.ts'));
    expect(errors.map((line) => line.replace(/:.*/, ''))).toEqual(holes.map((hole) => position(text, hole)));
    expect(errors.map((line) => line.replace(/.*error /, ''))).toEqual(
      holes.map(
        ({ what }) => `TS2345: Argument of type '"${what}"' is not assignable to parameter of type '"FILL IN"'.`,
      ),
    );
    expect(result.places).toBe(holes.length);
  });

  it('compiles when its places are filled in', async () => {
    const result = adopted(acme);
    expect(await compile(fill(sourceOf(result, 'adapter.ts'), byHand()), sourceOf(result, 'service.ts'))).toEqual([]);
  });

  it.each(inSoak('compiles with what is proposed for numbers'))('%s', async () => {
    const result = adopted(numbered, 'sendbacks');
    const byProposal = ({ what, proposed }: Hole): string | undefined => {
      if (what.startsWith('our status for ')) return "'received'";
      return what === 'a small read that needs a token' ? 'service.send({ method: "GET", path: path`/` })' : proposed;
    };
    const adapter = fill(sourceOf(result, 'adapter.ts'), byProposal).replace('purchase_ref?.', 'purchase_ref!.');
    expect(await compile(adapter, sourceOf(result, 'service.ts'))).toEqual([]);
  });
});
