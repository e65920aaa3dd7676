import { newTraceId } from '../runtime/trace-context.ts';

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** The trace id of a W3C `traceparent` header, or a new one: 32 hex digits. https://www.w3.org/TR/trace-context/ */
export const traceIdOf = (header: string | undefined): string => {
  const given = header === undefined ? undefined : traceparent.exec(header)?.[1];
  return given === undefined || /^0+$/.test(given) ? newTraceId() : given;
};
