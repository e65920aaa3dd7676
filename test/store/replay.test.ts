import { afterEach, expect, it, vi } from 'vitest';
import { useEngine } from '../support/engine.ts';
import { lives, steps } from '../support/life.ts';
import { carryOut, liveThrough, type Carried } from '../support/life-of-backend.ts';
import { stack } from '../support/stack.ts';

afterEach(() => vi.unstubAllEnvs());

it.each(lives)('answers every command of a life byte for byte again once it is over: %s, %s, %s', async (...life) => {
  useEngine(stack().aws.dynamodb);
  const backend = await import('../../lib/backend/standalone.ts');
  const all: Carried[] = [];
  for await (const carried of liveThrough(
    backend,
    life.map((name) => steps[name]),
  ))
    all.push(carried);
  for (const { request, call, reply } of all) {
    const again = (await carryOut(backend, request, call)).reply;
    expect(again.replayed, request.operation.name).toBe(true);
    expect(JSON.stringify(again)).toBe(JSON.stringify({ ...reply, replayed: true }));
  }
});
