import { describe, expect, it } from 'vitest';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { holds } from '../../../lib/tools/template/cloudformation/template.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate } from '../../support/bundles.ts';

const fields = new Set([
  'MinValue',
  'MaxValue',
  'Type',
  'Default',
  'AllowedPattern',
  'AllowedValues',
  'MinLength',
  'Description',
]);

describe('event sources', () => {
  it.each(modes)('of the %s mode include a platform’s bus or queue only where a parameter names it', async (mode) => {
    const template = await packagedTemplate(mode);
    const required = { TokenIssuer: 'http://a', TokenAudience: 'a' };
    const connected = { ServiceUrl: 'http://a', AuthUrl: 'http://a', ClientSecretId: 'a' };
    const rules = (parameters: Record<string, string>) =>
      deploy(template, { mode, sqs: '', parameters: { ...required, ...connected, ...parameters } })
        .ofType('AWS::Events::Rule')
        .filter(({ properties }) => properties['EventPattern'] !== undefined)
        .map(({ properties }) => properties['EventPattern']);
    expect(rules({})).toEqual([]);
    for (const platform of ['shopify', 'commercetools', 'adobe'] as const) {
      const source = `aws.partner/${platform}.com/1/returns`;
      const parameter = `${platform.charAt(0).toUpperCase()}${platform.slice(1)}EventSource`;
      expect(rules({ [parameter]: source })).toEqual([{ source: [source] }]);
    }
    const { Condition } = template.Resources['EventsQueuePolicy'] ?? {};
    const mayWrite = (parameters: Record<string, string>) => holds(Condition, '', { template, parameters });
    expect([mayWrite({}), mayWrite({ CommercetoolsQueue: 'on' })]).toEqual([false, true]);
  });

  it.each(modes)('of the %s mode have parameters with fields that CloudFormation knows', async (mode) => {
    const { Parameters = {} } = await packagedTemplate(mode);
    const unknown = Object.values(Parameters).flatMap((parameter) =>
      Object.keys(parameter).filter((field) => !fields.has(field)),
    );
    expect(unknown).toEqual([]);
  });
});
