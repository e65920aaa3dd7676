import { describe, expect, it } from 'vitest';
import { useEngine } from '../support/use-engine.ts';
import { lives, steps } from '../support/life.ts';
import { executeRequest, liveThrough, type ExecutedRequest } from '../support/life-of-backend.ts';
import { stack } from '../support/stack.ts';
import * as backend from '../../lib/edge/backend/standalone.ts';

useEngine(stack().aws.dynamodb);

describe('replay', () => {
  it.each(lives.map((life) => [life.join(', '), life] as const))(
    "returns every command's response byte for byte after the end of a life: %s",
    async (_, life) => {
      const lifeSteps = life.map((name) => steps[name]);
      const all: ExecutedRequest[] = [];
      for await (const executed of liveThrough(backend, lifeSteps)) all.push(executed);
      // A PUT or a PATCH has no key.
      for (const { request, call, reply } of all.filter(({ request: { operation } }) => operation.idempotencyKey)) {
        const again = (await executeRequest(backend, request, call)).reply;
        expect(JSON.stringify(again)).toBe(JSON.stringify({ ...reply, replayed: true }));
      }
    },
  );
});
