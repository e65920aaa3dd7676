import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { traceIdOf } from '../../lib/edge/http/event.ts';
import { startContainer } from '../../lib/runtime/container.ts';
import { invocationTraceId, withInvocation } from '../../lib/runtime/invocation.ts';
import { log } from '../../lib/runtime/log.ts';
import { count } from '../../lib/runtime/metrics.ts';
import { hearLines } from '../support/standard-output.ts';

const [first, second] = ['0b1f0c3e-5d7a-4c1f-8e2b-6a9d4c7f1e30', '1c2d0c3e-5d7a-4c1f-8e2b-6a9d4c7f1e31'];
const digits = (requestId: string): string => requestId.replaceAll('-', '');
const received = 'a'.repeat(32);

let lines: Record<string, unknown>[] = [];

beforeEach(() => {
  lines = [];
  startContainer();
  hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
});
afterEach(() => {
  vi.restoreAllMocks();
  startContainer();
});

const handler = withInvocation((traceparent: string | undefined, _context: { readonly awsRequestId?: string }) => {
  log('info', 'thing begun');
  const traceId = traceIdOf(traceparent);
  log('info', 'thing done');
  log('warn', 'other thing found', { traceId: 'f'.repeat(32) });
  count({ Things: 1 });
  return traceId;
});

describe('lines of an invocation', () => {
  it('have the request id, and coldStart in the first invocation of a container only', () => {
    handler(undefined, { awsRequestId: first });
    handler(undefined, { awsRequestId: second });
    expect(lines.map(({ lambdaRequestId, coldStart }) => [lambdaRequestId, coldStart])).toEqual([
      ...Array.from({ length: 4 }, () => [first, true]),
      ...Array.from({ length: 4 }, () => [second, undefined]),
    ]);
    startContainer();
    handler(undefined, { awsRequestId: second });
    expect(lines.at(-1)).toMatchObject({ lambdaRequestId: second, coldStart: true, Things: 1 });
  });

  it('have the digits of the request id as trace id, unless a line has its own', () => {
    expect(handler(undefined, { awsRequestId: first })).toBe(digits(first));
    const own = digits(first);
    expect(lines.map(({ traceId }) => traceId)).toEqual([own, own, 'f'.repeat(32), own]);
  });

  it('have the trace id of the caller as soon as it is read', () => {
    expect(handler(`00-${received}-00f067aa0ba902b7-01`, { awsRequestId: first })).toBe(received);
    const traceIds = lines.map(({ traceId }) => traceId);
    expect(traceIds).toEqual([digits(first), received, 'f'.repeat(32), received]);
  });

  it.each(['request-1', '00000000-0000-0000-0000-000000000000', undefined])(
    'have a random trace id when the request id is %s',
    (awsRequestId) => {
      const traceId = handler(undefined, awsRequestId === undefined ? {} : { awsRequestId });
      expect(traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
      expect(lines[0]).toMatchObject({ traceId });
      expect(lines[0]?.['lambdaRequestId']).toBe(awsRequestId);
    },
  );

  it('quote a request id of any characters', () => {
    handler(undefined, { awsRequestId: '","level":"none' });
    expect(lines[0]).toMatchObject({ level: 'info', lambdaRequestId: '","level":"none' });
  });
});

describe('lines outside of an invocation', () => {
  it('have no ids, and each trace id is new', () => {
    traceIdOf(`00-${received}-00f067aa0ba902b7-01`);
    log('info', 'thing begun');
    expect(Object.keys(lines[0] ?? {})).toEqual(['level', 'at', 'message']);
    expect(invocationTraceId()).not.toBe(invocationTraceId());
  });
});
