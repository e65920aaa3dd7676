import { describe, expect, it } from 'vitest';
import {
  cycleErrors,
  nameErrors,
  propertyErrors,
  referenceErrors,
  type Deployable,
} from '../../support/resource-schemas.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate } from '../../support/bundles.ts';

const queue = (Properties: object) => ({ Type: 'AWS::SQS::Queue', Properties: { ...Properties } });
const of = (Resources: Deployable['Resources'], more: object = {}): Deployable => ({ Resources, ...more });

describe.each(modes)('template of the %s mode', (mode) => {
  const read = async () => (await packagedTemplate(mode)) as unknown as Deployable;

  it('has only properties that AWS knows, of their types', async () => {
    expect(propertyErrors(await read())).toEqual([]);
  });
  it('refers only to existing resources and parameters', async () => {
    expect(referenceErrors(await read())).toEqual([]);
  });
  it('has no circular dependencies', async () => {
    expect(cycleErrors(await read())).toEqual([]);
  });
  it('gives each name once', async () => {
    expect(nameErrors(await read())).toEqual([]);
  });
});

describe('resource schema check', () => {
  it.each<[string, object, string]>([
    ['an unknown property', { VisibilityTimeOut: 1 }, '/Resources/Q/Properties/VisibilityTimeOut: no such property'],
    [
      'another type',
      { VisibilityTimeout: 'long' },
      '/Resources/Q/Properties/VisibilityTimeout: must be of the type integer',
    ],
    ['no list', { Tags: { a: 'b' } }, '/Resources/Q/Properties/Tags: must be a list'],
  ])('finds %s', (_, properties, error) => {
    expect(propertyErrors(of({ Q: queue(properties) }))).toEqual([error]);
  });

  it('finds an invalid enum value, and a missing required field', () => {
    const Properties = { Code: {}, RecursiveLoop: 'Always' };
    expect(propertyErrors(of({ F: { Type: 'AWS::Lambda::Function', Properties } }))).toEqual([
      '/Resources/F/Properties/Role: is required',
      '/Resources/F/Properties/RecursiveLoop: must be one of Allow, Terminate',
    ]);
  });

  it('finds an unknown type', () => {
    expect(propertyErrors(of({ Q: { Type: 'AWS::SQS::Cue' } }))).toEqual(['/Resources/Q/Type: no such type']);
  });

  it('finds dead references', () => {
    const properties = { QueueName: { Ref: 'Gone' }, KmsMasterKeyId: { 'Fn::GetAtt': ['Q', 'Url'] } };
    expect(referenceErrors(of({ Q: queue(properties) }))).toEqual([
      '/Resources/Q/Properties/QueueName/Ref: there is no Gone',
      '/Resources/Q/Properties/KmsMasterKeyId/Fn::GetAtt: AWS::SQS::Queue has no attribute Url',
    ]);
  });

  it('finds circular dependencies, and a duplicate name', () => {
    const one = queue({ QueueName: 'q', KmsMasterKeyId: { Ref: 'B' } });
    const other = queue({ QueueName: 'q', KmsMasterKeyId: { 'Fn::Sub': 'x${A.Arn}' } });
    expect(cycleErrors(of({ A: one, B: other }))).toHaveLength(2);
    expect(nameErrors(of({ A: one, B: other }))).toEqual(['two resources are AWS::SQS::Queue "q"']);
  });
});
