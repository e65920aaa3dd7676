import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as connected from '../../../lib/edge/backend/connected.ts';
import type { Backend } from '../../../lib/contract/port.ts';
import type * as standalone from '../../../lib/edge/backend/standalone.ts';
import { contract } from '../../../lib/contract/contract.ts';
import type { OperationEntry } from '../../../lib/contract/entry.ts';
import type * as connectedDoctor from '../../../lib/tools/doctor/connected.ts';
import type * as standaloneDoctor from '../../../lib/tools/doctor/standalone.ts';

describe('backend port', () => {
  it('never uses one field name in path, query and body', () => {
    for (const { params, query, body } of Object.values<OperationEntry>(contract)) {
      const names = [params, query, body].flatMap(({ properties }) => Object.keys(properties));
      expect(new Set(names).size).toBe(names.length);
    }
  });

  // `npm run check` compiles the handlers against the connected side only. This test fails when the standalone side
  // differs.
  it('has the same types on both sides', () => {
    expectTypeOf<typeof connected>().toExtend<Backend>();
    expectTypeOf<typeof standalone>().toExtend<typeof connected>();
    expectTypeOf<typeof standaloneDoctor>().toExtend<typeof connectedDoctor>();
  });
});
