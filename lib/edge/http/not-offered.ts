import routes from '#contract/routes-not-offered.json' with { type: 'json' };
import { log } from '../../runtime/log.ts';
import { type HttpEvent, type HttpResponse, traceIdOf } from './event.ts';
import { problemResponse } from './problem.ts';

type Route = { readonly method: string; readonly path: string; readonly name: string };

/** Returns whether a path is that of a route: `{name}` stands for one step. */
const matches = (route: string, path: string): boolean => {
  const [expected, steps] = [route.split('/'), path.split('/')];
  return (
    expected.length === steps.length &&
    expected.every((step, index) => (step.startsWith('{') ? steps[index] !== '' : step === steps[index]))
  );
};

/** As API Gateway answers a request without a route. */
const notFound: HttpResponse = {
  statusCode: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'Not Found' }),
};

/**
 * Answers requests that no other route takes, in a deployment with an adapter: 501 for an operation of the contract that
 * the Returns Service does not have, and 404 for all others.
 */
export const notOffered = async ({ headers, requestContext, rawPath }: HttpEvent): Promise<HttpResponse> => {
  const { method } = requestContext.http;
  const route = (routes as readonly Route[]).find((known) => known.method === method && matches(known.path, rawPath));
  if (route === undefined) return notFound;
  const traceId = traceIdOf(headers['traceparent']);
  log('info', 'operation not offered', { traceId, operation: route.name });
  const detail = `The Returns Service of this deployment does not have the operation ${route.name}. GET /v1/openapi.json lists those that it has.`;
  return problemResponse({ code: 'operation_not_offered', detail }, traceId, { domainName: requestContext.domainName });
};
