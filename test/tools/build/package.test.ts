import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFiles, type PackageState } from '../../../lib/tools/template/package/package-offer.ts';
import { forEveryStage, packagedStage } from '../../../lib/tools/template/package/stage-parameter.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import type { Template } from '../../../lib/tools/template/cloudformation/template.ts';
import { packaged } from '../../support/roles.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { packageFile } from '../../support/bundles.ts';

describe.each(modes)('package of the %s mode', (mode) => {
  const read = (file: keyof typeof packageFiles) => readFileSync(packageFile(mode, packageFiles[file]), 'utf8');

  it('names its stage by the parameter Stage only', async () => {
    expect(read('template')).not.toContain(packagedStage);
    const names = (await packaged(mode, { Stage: 'prod-2' }))
      .ofType('AWS::Lambda::Function')
      .map(({ local }) => local.ref);
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !name.startsWith('returns-prod-2-'))).toEqual([]);
  });

  it('limits the names of functions to the 64 letters of Lambda for the longest stage', async () => {
    const { Parameters = {} } = JSON.parse(read('template')) as Template;
    const allowed = new RegExp(`^(?:${Parameters['Stage']?.AllowedPattern})$`);
    const stage = 'x'.repeat(30);
    expect([stage, `${stage}x`, 'Prod', 'prod-'].map((name) => allowed.test(name))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const names = (await packaged(mode, { Stage: stage }))
      .ofType('AWS::Lambda::Function')
      .map(({ local }) => local.ref);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(64);
  });

  it.each([
    ['1', 'rate(1 minute)'],
    ['2', 'rate(2 minutes)'],
  ])('polls shops every %s minutes by %s', async (ReconcileMinutes, expression) => {
    const expressions = (await packaged(mode, { ReconcileMinutes }))
      .ofType('AWS::Scheduler::Schedule')
      .map(({ logicalId, properties }) => [logicalId, properties['ScheduleExpression']]);
    expect(expressions).toContainEqual(['ReconcilePlatformsSchedule', expression]);
  });

  it('has no value of a parameter except its default', () => {
    const { service } = JSON.parse(read('state')) as PackageState;
    expect(service.provider).not.toHaveProperty('stackParameters');
  });

  it('creates its stack by a template with the same parameters', () => {
    const { Parameters } = JSON.parse(read('template')) as Template;
    expect(Parameters).toHaveProperty('Stage');
    expect((JSON.parse(read('core')) as Template).Parameters).toEqual(Parameters);
    const { provider } = (JSON.parse(read('state')) as PackageState).service;
    expect(provider.coreCloudFormationTemplate['Parameters']).toEqual(Parameters);
    expect(provider.compiledCloudFormationTemplate).toEqual(JSON.parse(read('template')));
  });
});

it.each([
  [{ Stage: 'prod' }, 'urn:returns:prod'],
  [{ Stage: 'prod', EventSource: 'urn:shop:events' }, 'urn:shop:events'],
])('package resolves the event source of %j to %s', async (parameters, source) => {
  const specs = functionSpecs(await packaged('standalone', parameters));
  expect(new Set(specs.map(({ environment }) => environment['EVENT_SOURCE']))).toEqual(new Set([source]));
});

describe('template for every stage', () => {
  it('has the parameter in texts, alone and in substitutions, and does not change other texts', () => {
    const Resources = {
      A: { Name: `x-${packagedStage}`, Literal: `\${a}-${packagedStage}`, Other: 'y' },
      B: { 'Fn::Sub': `${packagedStage}-\${AWS::Region}` },
      C: { 'Fn::Sub': [`${packagedStage}-\${v}`, { v: [packagedStage] }] },
    };
    expect(forEveryStage({ Resources })).toEqual({
      Resources: {
        A: { Name: { 'Fn::Sub': 'x-${Stage}' }, Literal: { 'Fn::Sub': '${!a}-${Stage}' }, Other: 'y' },
        B: { 'Fn::Sub': '${Stage}-${AWS::Region}' },
        C: { 'Fn::Sub': ['${Stage}-${v}', { v: [{ 'Fn::Sub': '${Stage}' }] }] },
      },
    });
  });

  it.each([
    ['a default', { Parameters: { P: { Default: packagedStage } } }],
    ['a logical id', { Resources: { [packagedStage]: {} } }],
  ])('is rejected with the stage in %s', (_, template) => {
    expect(() => forEveryStage(template)).toThrow('the stage stands in a name');
  });
});
