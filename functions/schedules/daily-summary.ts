import { getAnalytics } from '#backend';
import { dailySummary } from '../../lib/schedules/daily-summary.ts';

export const handler = dailySummary({ getAnalytics });
