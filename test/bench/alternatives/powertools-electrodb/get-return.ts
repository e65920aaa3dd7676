import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { parser } from '@aws-lambda-powertools/parser/middleware';
import middy from '@middy/core';
import { answerOf } from '../answer.ts';
import { returns } from './entities.ts';
import { counts, logger, logs, metrics, ReturnEvent } from './function.ts';

export const handler = middy()
  .use(logs())
  .use(counts())
  .use(parser({ schema: ReturnEvent }))
  .handler(async ({ pathParameters: { returnId } }) => {
    const { data } = await returns.get({ returnId }).go({ consistent: true });
    metrics.addMetric('ReturnRead', MetricUnit.Count, 1);
    logger.info('return read', { returnId, found: data !== null });
    if (data === null) return answerOf(404, { code: 'return_not_found' });
    const { details, ...fields } = data;
    return answerOf(200, { ...fields, ...(details as object) });
  });
