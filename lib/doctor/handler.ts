import type { Context } from 'aws-lambda';
import { serviceSettings } from '../config.ts';
import { systemClock } from '../net/clock.ts';
import { openSecrets } from '../secrets/own-secrets.ts';
import { newTraceId } from '../trace-context.ts';
import { examine, type Report } from './examine.ts';

/** Kept back for the answer itself. */
const reserve = 500;

/** A function that examines the access of the functions beside it and answers with a report, whatever the event. */
export const doctor =
  () =>
  async (_event: unknown, context: Context): Promise<Report> => {
    const source = openSecrets();
    try {
      return await examine({
        settings: serviceSettings(),
        source,
        limitMs: context.getRemainingTimeInMillis() - reserve,
        clock: systemClock,
        traceId: newTraceId(),
      });
    } finally {
      await source.close();
    }
  };
