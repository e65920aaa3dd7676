import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { JSONStringified } from '@aws-lambda-powertools/parser/helpers';
import { parser } from '@aws-lambda-powertools/parser/middleware';
import middy from '@middy/core';
import { z } from 'zod';
import { approvedLines } from '../approved-lines.ts';
import { answerOf } from '../answer.ts';
import { returns, service } from './entities.ts';
import { counts, logger, logs, metrics, ReturnEvent } from './function.ts';

const ApproveEvent = ReturnEvent.extend({
  body: JSONStringified(z.object({ note: z.string().max(2_000).optional() })),
});

export const handler = middy()
  .use(logs())
  .use(counts())
  .use(parser({ schema: ApproveEvent }))
  .handler(async ({ pathParameters: { returnId }, requestContext }) => {
    const { data } = await returns.get({ returnId }).go({ consistent: true });
    if (data === null) return answerOf(404, { code: 'return_not_found' });
    if (data.status !== 'requested') return answerOf(409, { code: 'invalid_transition' });
    const at = new Date().toISOString();
    const version = data.version + 1;
    const changes = { status: 'approved', version, updatedAt: at, lines: approvedLines(data.lines) } as const;
    const { canceled } = await service.transaction
      .write(({ returns: all, events }) => [
        all
          .patch({ returnId })
          .set(changes)
          .where((attributes, { eq }) => eq(attributes.version, data.version))
          .commit(),
        events
          .create({ returnId, version, type: 'return.approved', at, actor: requestContext.authorizer?.jwt?.claims })
          .commit(),
      ])
      .go();
    if (canceled) return answerOf(409, { code: 'version_mismatch' });
    metrics.addMetric('ReturnApproved', MetricUnit.Count, 1);
    logger.info('return approved', { returnId, version });
    const { details, ...fields } = data;
    return answerOf(200, { ...fields, ...(details as object), ...changes });
  });
