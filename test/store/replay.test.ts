import { describe, expect, it } from 'vitest';
import { useEngine } from '../support/engine.ts';
import { lives, steps } from '../support/life.ts';
import { carryOut, liveThrough, type Carried } from '../support/life-of-backend.ts';
import { stack } from '../support/stack.ts';
import * as backend from '../../lib/backend/standalone.ts';

useEngine(stack().aws.dynamodb);

describe('replay', () => {
  it.each(lives.map((life) => [life.join(', '), life] as const))(
    "returns every command's response byte for byte after the end of a life: %s",
    async (_, life) => {
      const asked = life.map((name) => steps[name]);
      const all: Carried[] = [];
      for await (const carried of liveThrough(backend, asked)) all.push(carried);
      // A PUT or a PATCH has no key.
      for (const { request, call, reply } of all.filter(({ request: { operation } }) => operation.idempotencyKey)) {
        const again = (await carryOut(backend, request, call)).reply;
        expect(JSON.stringify(again)).toBe(JSON.stringify({ ...reply, replayed: true }));
      }
    },
  );
});
