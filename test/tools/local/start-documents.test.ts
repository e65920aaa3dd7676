import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';

describe('problem of a local stack', () => {
  it.each(modes)('has a type that opens, in %s mode', async (mode) => {
    const { status, body } = await api(mode).get('/returns/ret_01ARZ3NDEKTSV4RRFFQ69G5FAV');
    expect(status).toBe(404);
    const { type } = body as unknown as { readonly type: string };
    expect(type).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/errors\/return_not_found$/);
    const page = await fetch(type);
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    });
  });
});
