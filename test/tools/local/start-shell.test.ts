import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { environmentFile, shellWord, writeEnvironment } from '../../../lib/tools/local/env-file.ts';
import { createReturn } from '../../support/scenario.ts';
import { api } from '../../support/api.ts';
import { stack } from '../../support/stack.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { temporaryDirectory } from './support.ts';

const pick = (expression: string, input: unknown) => {
  const options = { input: JSON.stringify(input), encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['lib/tools/local/pick.mjs', expression], options);
  return stdout + stderr;
};

describe('pick', () => {
  const input = { id: 'ret_1', 'line-id': 'l', lines: [{ lineId: 'a' }, { lineId: 'b' }] };
  it.each<[string, string, unknown?]>([
    ['id', 'ret_1'],
    ['lines[1].lineId', 'b'],
    ['.lines.length', '2'],
    ['["line-id"]', 'l'],
    ["['line-id'].length", '1'],
    ['[input.id]', '["ret_1"]'],
    ['[input.id, ...input.lines.map(({ lineId }) => lineId)]', '["ret_1","a","b"]'],
    ['["id", input.id]', '["id","ret_1"]'],
    ['(input.lines.length > 1 ? "many" : "one")', 'many'],
    ['({ id: input.id })', '{"id":"ret_1"}'],
    ['name', 'pick: the input has no name'],
    ['[1]', 'b', ['a', 'b']],
  ])('prints %s', (expression, output, from = input) => {
    expect(pick(expression, from)).toBe(`${output}\n`);
  });
});

describe('word of a shell', () => {
  it.each([
    ['.local/env.sh', '.local/env.sh'],
    ['my data/env.sh', "'my data/env.sh'"],
    ["it's $here/env.sh", `'it'\\''s $here/env.sh'`],
  ])('has quotes where it needs them: %s', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });
});

describe('api of a shell', () => {
  it('ends each answer with one newline, also in a pipe', async () => {
    const { id } = await createReturn(api('standalone'));
    const folder = await temporaryDirectory();
    await writeEnvironment(folder, stack());
    const missing = '/returns/ret_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    const script = `source ${environmentFile(folder)}\napi /returns/${id}; api /returns/${id} | cat; api ${missing} 2>&1`;
    const lines = spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.split('\n');
    const [first = '', second = '', third = '', ...rest] = lines;
    for (const line of [first, second]) expect(JSON.parse(line)).toMatchObject({ returnId: id });
    expect(JSON.parse(third)).toMatchObject({ code: 'return_not_found' });
    expect(rest).toEqual([`api ${missing}: HTTP 404`, '']);
  });
});

describe('problem of a local stack', () => {
  it.each(modes)('has a type that opens, in %s mode', async (mode) => {
    const { status, body } = await api(mode).get('/returns/ret_01ARZ3NDEKTSV4RRFFQ69G5FAV');
    const { type } = body as unknown as { readonly type: string };
    expect(status).toBe(404);
    expect(type).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/errors\/return_not_found$/);
    const page = await fetch(type);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});
