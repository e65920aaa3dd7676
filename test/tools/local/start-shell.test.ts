import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentFile, writeEnvironment } from '../../../lib/tools/local/env-file.ts';
import { createReturn } from '../../support/scenario.ts';
import { api } from '../../support/api.ts';
import { stack } from '../../support/stack.ts';
import { temporaryDirectory } from './support.ts';

const pick = (expression: string, input: unknown) => {
  const options = { input: JSON.stringify(input), encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['lib/tools/local/pick.mjs', expression], options);
  return stdout + stderr;
};

describe('pick', () => {
  const input = { id: 'ret_1', 'line-id': 'l', lines: [{ lineId: 'a' }, { lineId: 'b' }] };
  it.each([
    ['id', 'ret_1\n'],
    ['lines[1].lineId', 'b\n'],
    ['.lines.length', '2\n'],
    ['["line-id"]', 'l\n'],
    ["['line-id'].length", '1\n'],
    ['[input.id]', '["ret_1"]\n'],
    ['[input.id, ...input.lines.map(({ lineId }) => lineId)]', '["ret_1","a","b"]\n'],
    ['["id", input.id]', '["id","ret_1"]\n'],
    ['(input.lines.length > 1 ? "many" : "one")', 'many\n'],
    ['({ id: input.id })', '{"id":"ret_1"}\n'],
    ['name', 'pick: the input has no name\n'],
  ])('prints %s', (expression, output) => {
    expect(pick(expression, input)).toBe(output);
  });

  it('prints an item of a list by its index', () => {
    expect(pick('[1]', ['a', 'b'])).toBe('b\n');
  });
});

describe('api of a shell', () => {
  let file = '';
  let id = '';
  beforeAll(async () => {
    ({ id } = await createReturn(api('standalone')));
  });

  const run = async (script: string) => {
    const folder = join(await temporaryDirectory());
    await writeEnvironment(folder, stack());
    file = environmentFile(folder);
    return spawnSync('bash', ['-c', `source ${file}\n${script}`], { encoding: 'utf8' }).stdout;
  };

  it('ends each answer with one newline, also in a pipe', async () => {
    const lines = (
      await run(`api /returns/${id}; api /returns/${id} | cat; api /returns/ret_01ARZ3NDEKTSV4RRFFQ69G5FAV 2>&1`)
    ).split('\n');
    const [first = '', second = '', third = '', ...rest] = lines;
    for (const line of [first, second]) expect(JSON.parse(line)).toMatchObject({ returnId: id });
    expect(JSON.parse(third)).toMatchObject({ code: 'return_not_found' });
    expect(rest).toEqual(['api /returns/ret_01ARZ3NDEKTSV4RRFFQ69G5FAV: HTTP 404', '']);
  });
});
