import { describe, expect, it } from 'vitest';
import { templatePart } from '../../lib/build/deployment/template-part.ts';
import { rowsOf } from '../../lib/deploy/functions.ts';
import { modes } from '../support/stack.ts';

describe.each(modes)('rollout of the %s mode', (mode) => {
  const { Resources } = templatePart(mode);
  const ofType = (type: string) => Object.entries(Resources).filter(([, resource]) => resource['Type'] === type);
  const propertiesOf = (id: string) => (Resources[id]?.['Properties'] ?? {}) as Record<string, unknown>;

  it('has a composite alarm for every deployment group, of existing alarms', () => {
    const composites = ofType('AWS::CloudWatch::CompositeAlarm').map(([id]) => propertiesOf(id));
    const names = composites.map(({ AlarmName }) => JSON.stringify(AlarmName));
    const wanted = ofType('AWS::CodeDeploy::DeploymentGroup').map(([id]) => {
      const { Alarms } = propertiesOf(id)['AlarmConfiguration'] as { Alarms: readonly { Name: unknown }[] };
      expect(Alarms).toHaveLength(1);
      return JSON.stringify(Alarms[0]?.Name);
    });
    expect(wanted).toHaveLength(rowsOf(mode).length);
    expect([...new Set(wanted)].toSorted()).toEqual(names.toSorted());
    for (const { AlarmRule } of composites) {
      const named = Array.from(JSON.stringify(AlarmRule).matchAll(/\$\{(\w+)\}/g), ([, id = '']) => id);
      expect(named.length).toBeGreaterThan(1);
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
      expect(named.length).toBeLessThanOrEqual(100);
      expect(named.filter((id) => Resources[id]?.['Type'] !== 'AWS::CloudWatch::Alarm')).toEqual([]);
      expect(named.filter((id) => Resources[id]?.['Condition'] !== undefined)).toEqual([]);
    }
  });

  it('moves each alias by its own deployment group, under the same condition', () => {
    const moves = ofType('AWS::Lambda::Alias').map(([id, alias]) => {
      const [condition, update] = (alias['UpdatePolicy'] as { 'Fn::If': readonly unknown[] })['Fn::If'];
      return { id, condition, group: JSON.stringify(update) };
    });
    for (const { id, condition, group } of moves) {
      const rollout = id.replace(/Live$/, 'Rollout');
      expect(Resources[rollout]?.['Condition']).toBe(condition);
      expect(group).toContain(`{"Ref":"${rollout}"}`);
    }
  });
});
