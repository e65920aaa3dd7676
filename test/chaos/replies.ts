import { parseObject } from '../../lib/runtime/json.ts';
import type { Replies, Reply } from './faulty-service.ts';
import type { ServiceName } from './plan.ts';

/* How each service says that there are too many requests, and how it answers when it is broken. */

const html = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>Something went wrong</h1></body></html>',
});

/** A success that ends in the middle of its JSON. */
const cut = (body: string): Reply => ({ status: 200, body });

const aws = (status: number, type: string, name = `com.amazonaws#${type}`): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': type },
  body: JSON.stringify({ __type: name, message: 'Rate exceeded' }),
});

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html */
const refusedEntries = (body: string): Reply => {
  const entries = parseObject(body)?.['Entries'];
  const count = Array.isArray(entries) ? entries.length : 0;
  const Entries = Array.from({ length: count }, () => ({ ErrorCode: 'ThrottlingException', ErrorMessage: 'no' }));
  return { status: 200, body: JSON.stringify({ FailedEntryCount: count, Entries }) };
};

const tooMany: Reply = { status: 429, headers: { 'retry-after': '1' }, body: '{"error":"too_many_requests"}' };

/** The answers of each service. */
export const repliesOf: Readonly<Record<ServiceName, Replies>> = {
  dynamodb: {
    throttle: () => aws(400, 'ThrottlingException', 'com.amazonaws.dynamodb.v20120810#ThrottlingException'),
    wrong: () => cut('{"Item":{"pk":{"S":"RET'),
  },
  sqs: { throttle: () => aws(400, 'RequestThrottled', 'com.amazonaws.sqs#RequestThrottled'), wrong: () => html(500) },
  s3: {
    throttle: () => ({
      status: 503,
      headers: { 'content-type': 'application/xml' },
      body: '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>',
    }),
    wrong: () => html(500),
  },
  eventbridge: { throttle: refusedEntries, wrong: () => cut('{"FailedEntryCount":0,"Ent') },
  secrets: { throttle: () => aws(400, 'ThrottlingException'), wrong: () => html(200) },
  token: { throttle: () => tooMany, wrong: () => cut('{"access_token":"eyJ') },
  service: { throttle: () => tooMany, wrong: () => html(502) },
  shop: { throttle: () => tooMany, wrong: () => html(200) },
  receiver: { throttle: () => tooMany, wrong: () => html(404) },
  'other receiver': { throttle: () => tooMany, wrong: () => html(302) },
};
