import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { APIGatewayProxyEventV2Schema } from '@aws-lambda-powertools/parser/schemas/api-gatewayv2';
import { z } from 'zod';

/*
 * A function with the logger, the metrics and the parser of Powertools, each as a middleware as in its documentation.
 * https://docs.aws.amazon.com/powertools/typescript/latest/features/parser/
 */

export const logger = new Logger({ serviceName: 'returns' });
export const metrics = new Metrics({ namespace: 'returns', serviceName: 'returns' });

export const logs = () => injectLambdaContext(logger);
export const counts = () => logMetrics(metrics, { captureColdStartMetric: true });

/** The event of an HTTP API with the id of a return in its path. */
export const ReturnEvent = APIGatewayProxyEventV2Schema.extend({
  pathParameters: z.object({ returnId: z.string().regex(/^ret_[0-9A-HJKMNP-TV-Z]{26}$/) }),
});
