import { describe, expect, it } from 'vitest';
import { capitalised } from '../../../lib/tools/template/resources/cloudformation.ts';
import { templatePart } from '../../../lib/tools/template/resources/template-part.ts';
import { rowsOf } from '../../../lib/tools/template/functions.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

describe.each(modes)('rollout of the %s mode', (mode) => {
  const { Resources, extensions } = templatePart(offers[mode]);
  const ofType = (type: string) => Object.entries(Resources).filter(([, resource]) => resource['Type'] === type);
  const propertiesOf = (id: string) => (Resources[id]?.['Properties'] ?? {}) as Record<string, unknown>;
  const alarms = new Map(
    ofType('AWS::CloudWatch::Alarm').map(([id]) => [JSON.stringify(propertiesOf(id)['AlarmName']), id]),
  );
  /** Returns the alarm of a function's deployment group. */
  const alarmOf = (name: string): string | undefined => {
    const settings = propertiesOf(`${capitalised(name)}Rollout`)['AlarmConfiguration'];
    if (settings === undefined) return undefined;
    const [alarm, ...others] = (settings as { readonly Alarms: readonly { readonly Name: object }[] }).Alarms;
    expect(others).toEqual([]);
    const { Ref: id } = (alarm?.Name ?? {}) as { readonly Ref?: string };
    return id ?? alarms.get(JSON.stringify(alarm?.Name));
  };

  it('is rolled back by an alarm of the API, or by one of the function', () => {
    for (const [name, { trigger }] of rowsOf(offers[mode])) {
      const { kind } = trigger;
      const own = ['queue', 'stream', 'schedule', 'rotation'].includes(kind)
        ? `${capitalised(name)}RolloutAlarm`
        : undefined;
      const ofApi = { operation: 'ApiRolloutAlarm', authorizer: 'ApiRolloutAlarm', webhook: 'HooksRolloutAlarm' };
      expect({ name, alarm: alarmOf(name) }).toEqual({ name, alarm: own ?? ofApi[kind as keyof typeof ofApi] });
    }
  });

  it('has alarms that ring within the shortest canary, and exist before the first one', () => {
    const rolloutAlarms = [...alarms.values()].filter((id) => id.endsWith('RolloutAlarm'));
    expect(rolloutAlarms.length).toBeGreaterThan(5);
    for (const id of rolloutAlarms) expect(propertiesOf(id)).toMatchObject({ Period: 60, EvaluationPeriods: 1 });
    // An alarm of a function is made before its group, which names it. Nothing orders those of the APIs.
    for (const id of ['ApiRolloutAlarm', 'HooksRolloutAlarm']) expect(Resources[id]?.['Condition']).toBeUndefined();
  });

  it('moves each alias by its own deployment group, under the same condition', () => {
    const moves = ofType('AWS::Lambda::Alias').map(([id, alias]) => {
      const [condition, update] = (alias['UpdatePolicy'] as { 'Fn::If': readonly unknown[] })['Fn::If'];
      return { id, condition, group: JSON.stringify(update) };
    });
    expect(moves).toHaveLength(rowsOf(offers[mode]).length);
    for (const { id, condition, group } of moves) {
      const rollout = id.replace(/Live$/, 'Rollout');
      expect(Resources[rollout]?.['Condition']).toBe(condition);
      expect(group).toContain(`{"Ref":"${rollout}"}`);
    }
  });

  it('changes each function with its version, because Lambda publishes no version of an unchanged one', () => {
    for (const [id] of ofType('AWS::Lambda::Version')) {
      const name = id.replace(/Version$/, '');
      expect(extensions[`${name}LambdaFunction`]?.['Properties']).toMatchObject({ Description: id });
    }
  });
});
