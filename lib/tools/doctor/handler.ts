import type { Context } from 'aws-lambda';
import { partsOf } from '#doctor';
import { systemClock } from '../../access/net/clock.ts';
import { invocationTraceId } from '../../runtime/invocation.ts';
import { openSecrets } from '../../access/secrets/own-secrets.ts';
import type { Report } from './check.ts';
import { examine } from './examine.ts';

/** Milliseconds reserved for the response. */
const reserve = 500;

/** Makes a handler that examines its own deployment and returns the report. It ignores the event. */
export const doctor =
  () =>
  async (_event: unknown, context: Context): Promise<Report> => {
    const source = openSecrets();
    try {
      return await examine({
        parts: partsOf({ source, deployed: true }),
        limitMs: context.getRemainingTimeInMillis() - reserve,
        clock: systemClock,
        traceId: invocationTraceId(),
      });
    } finally {
      await source.close();
    }
  };
