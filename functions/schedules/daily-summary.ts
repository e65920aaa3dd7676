import { getAnalytics } from '#backend';
import { dailySummary } from '../../lib/service/schedules/daily-summary.ts';

export const handler = dailySummary({ getAnalytics });
