import { describe, expect, it } from 'vitest';
import { openBuses } from '../../../lib/tools/local/emulators/event-buses.ts';
import { deployed } from './resources.ts';

const queue = 'arn:aws:sqs:eu-central-1:000000000000:mails';
const entry = { Source: 'urn:returns', DetailType: 'return.approved' };

/** Opens buses with a rule, which sends to a queue. */
const withRule = (properties: object) => {
  const sent: { readonly queue: string; readonly body: unknown }[] = [];
  const buses = openBuses();
  const rule = { Type: 'AWS::Events::Rule', Properties: { Targets: [{ Id: 'q', Arn: queue }], ...properties } };
  buses.createRules(deployed({ Rule: rule }).ofType('AWS::Events::Rule'), async (arn, body) => {
    sent.push({ queue: arn, body: JSON.parse(body) as unknown });
  });
  return { buses, sent };
};

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html */
describe('rules of EventBridge', () => {
  it('send events that have a field to a queue, by the input path', () => {
    const { buses, sent } = withRule({
      EventPattern: { detail: { data: { messageName: [{ exists: true }] } } },
      Targets: [{ Id: 'q', Arn: queue, InputPath: '$.detail.data' }],
    });
    const data = { messageName: 'return_approved', sequence: 2 };
    for (const detail of [{ data }, { data: { sequence: 3 } }, { data: 'messageName' }])
      buses.put({ ...entry, Detail: JSON.stringify(detail) }, 0);
    expect(sent).toEqual([{ queue, body: data }]);
  });

  it('send events of services of AWS, which no caller may put, by all fields of the pattern', () => {
    const { buses, sent } = withRule({
      EventPattern: {
        source: ['aws.ses'],
        detail: { bounce: { bounceType: ['Permanent'] }, tags: { set: ['a', 'b'] } },
      },
    });
    const detail = { bounce: { bounceType: 'Permanent' }, tags: { set: ['b'] } };
    buses.report('aws.ses', 'Email Bounced', detail, 0);
    buses.report('aws.ses', 'Email Bounced', { ...detail, tags: { set: ['c'] } }, 0);
    buses.report('aws.ses', 'Email Bounced', { ...detail, bounce: { bounceType: 'Transient' } }, 0);
    buses.put({ ...entry, Source: 'aws.ses', Detail: JSON.stringify(detail) }, 0);
    expect(sent).toMatchObject([{ body: { source: 'aws.ses', 'detail-type': 'Email Bounced', detail } }]);
  });

  it('apply to their bus', () => {
    const { buses, sent } = withRule({ EventBusName: 'returns', EventPattern: { source: ['urn:returns'] } });
    buses.put({ ...entry, Detail: '{}' }, 0);
    expect(sent).toEqual([]);
  });

  it.each([
    ['a filter', { EventPattern: { source: [{ prefix: 'urn:' }] } }, '/EventPattern/source'],
    ['a pattern', { EventPattern: { source: 'urn:returns' } }, '/EventPattern/source'],
    ['a property', { EventPattern: {}, ScheduleExpression: 'rate(1 day)' }, '/ScheduleExpression'],
    ['a property of a target', { EventPattern: {}, Targets: [{ Id: 'q', Arn: queue, Input: '{}' }] }, '/Targets/Input'],
  ])('reject %s that the local stack does not know', (_, properties, path) => {
    expect(() => withRule(properties)).toThrow(`/Resources/Rule/Properties${path}`);
  });
});
