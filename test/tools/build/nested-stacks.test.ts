import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mapReferences, type Reference } from '../../../lib/tools/template/package/references.ts';
import { splitTemplate, type Resource, type StackTemplate } from '../../../lib/tools/template/package/nested-stacks.ts';
import { cycleErrors, propertyErrors, referenceErrors, type Deployable } from '../../support/resource-schemas.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { packageFile } from '../../support/bundles.ts';

const read = (file: string): StackTemplate => JSON.parse(readFileSync(file, 'utf8')) as StackTemplate;

const packageOf = (mode: Mode) => {
  const folder = packageFile(mode, '.');
  return {
    whole: read(join(folder, 'cloudformation-template-update-stack.json')),
    root: read(join(folder, 'root.json')),
    nested: new Map(
      globSync(join(folder, 'stacks/*.json')).map((file) => [basename(file, '.json'), read(file)] as const),
    ),
  };
};

/** Reads a reference back from its intrinsic. A value of a conditional resource is inside of a condition. */
const referenceOf = (value: unknown): Reference => {
  const { 'Fn::If': choice, Ref: id, 'Fn::GetAtt': path } = value as Record<string, unknown>;
  if (Array.isArray(choice)) return referenceOf(choice[1]);
  if (typeof id === 'string') return { id };
  const [target = '', ...rest] = path as readonly string[];
  return { id: target, attribute: rest.join('.') };
};

type Stacks = ReturnType<typeof packageOf>;

/** Puts the resources of all stacks together again, each with its own references. */
const joined = ({ root, nested }: Stacks): Readonly<Record<string, unknown>> => {
  const passedTo = (stack: string): Readonly<Record<string, unknown>> =>
    (root.Resources[stack]?.Properties?.['Parameters'] ?? {}) as Record<string, unknown>;
  const inRoot = (reference: Reference): Reference => {
    const stack = nested.get(reference.id);
    const output = stack?.Outputs?.[reference.attribute?.replace('Outputs.', '') ?? ''];
    return output === undefined ? reference : inStack(reference.id)(referenceOf(output.Value));
  };
  const inStack =
    (stack: string) =>
    (reference: Reference): Reference => {
      const value = passedTo(stack)[reference.id];
      return value === undefined ? reference : inRoot(referenceOf(value));
    };
  const isStack = (id: string) => nested.has(id);
  const of = (resources: Readonly<Record<string, Resource>>, replace: (reference: Reference) => Reference) =>
    Object.entries(resources)
      .filter(([id]) => !isStack(id))
      .map(([id, resource]) => [id, mapReferences({ ...resource, DependsOn: undefined }, replace)] as const);
  return Object.fromEntries([
    ...of(root.Resources, inRoot),
    ...[...nested].flatMap(([stack, { Resources }]) => of(Resources, inStack(stack))),
  ]);
};

describe.each(modes)('stacks of the %s mode', (mode) => {
  const stacks = packageOf(mode);
  const all = [['root', stacks.root] as const, ...stacks.nested];

  it('hold each resource of the packaged template once, with its references', () => {
    const resources = Object.entries(stacks.whole.Resources);
    const expected = resources.map(([id, resource]) => [
      id,
      // Fn::Sub and Fn::GetAtt have two forms each; this brings all into one.
      mapReferences({ ...resource, DependsOn: undefined }, (reference) => reference),
    ]);
    expect(joined(stacks)).toEqual(Object.fromEntries(expected));
    const count = all.reduce((sum, [, { Resources }]) => sum + Object.keys(Resources).length, 0);
    expect(count).toBe(resources.length + stacks.nested.size);
  });

  it.each(all)('%s has at most 450 resources, 200 parameters, 200 outputs and 900 kB', (_, template) => {
    const { Resources, Parameters = {}, Outputs = {} } = template;
    expect(Object.keys(Resources).length).toBeLessThanOrEqual(450);
    expect(Object.keys(Parameters).length).toBeLessThanOrEqual(200);
    expect(Object.keys(Outputs).length).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(JSON.stringify(template))).toBeLessThanOrEqual(900_000);
  });

  it.each(all)('%s has valid properties, no dead reference and no circular dependency', (_, template) => {
    const deployable = template as unknown as Deployable;
    expect(propertyErrors(deployable)).toEqual([]);
    expect(referenceErrors(deployable)).toEqual([]);
    expect(cycleErrors(deployable)).toEqual([]);
  });

  it.each([...stacks.nested])('%s gets a value for each of its parameters, and has the read outputs', (id, stack) => {
    const parameters = stacks.root.Resources[id]?.Properties?.['Parameters'] ?? {};
    expect(Object.keys(parameters).toSorted()).toEqual(Object.keys(stack.Parameters ?? {}).toSorted());
    const wanted = JSON.stringify(stacks.root).match(new RegExp(`${id}","Outputs[.]\\w+`, 'g')) ?? [];
    const outputs = Object.keys(stack.Outputs ?? {});
    expect([...new Set(wanted.map((text) => text.replace(/^.*Outputs[.]/, '')))].toSorted()).toEqual(
      outputs.toSorted(),
    );
  });

  it('give every function a version and the alias live, which all triggers use', () => {
    const { Resources } = stacks.whole;
    const ofType = (type: string) => Object.entries(Resources).filter(([, { Type }]) => Type === type);
    const functions = ofType('AWS::Lambda::Function').map(([id]) => id);
    const named = (type: string) => ofType(type).map(([, one]) => referenceOf(one.Properties?.['FunctionName']).id);
    expect(named('AWS::Lambda::Alias').toSorted()).toEqual(functions.toSorted());
    expect(named('AWS::Lambda::Version').toSorted()).toEqual(functions.toSorted());
    expect(ofType('AWS::CodeDeploy::DeploymentGroup')).toHaveLength(functions.length);
    // These describe a function, or name the alias as their qualifier. Anything else would pass by the alias.
    const free = /^AWS::(Lambda::(Alias|Version|Function)|CloudWatch::.*)$/;
    const direct: string[] = [];
    for (const [id, resource] of Object.entries(Resources)) {
      if (free.test(resource.Type) || resource.Properties?.['Qualifier'] === 'live') continue;
      mapReferences(resource, (reference) => {
        if (functions.includes(reference.id)) direct.push(`${id} refers to ${reference.id}`);
        return reference;
      });
    }
    expect(direct).toEqual([]);
  });
});

describe('splitTemplate', () => {
  const split = (Resources: StackTemplate['Resources'], more: Partial<StackTemplate> = {}) =>
    splitTemplate(
      { Resources, ...more },
      { stackOf: (id) => (id.startsWith('F') ? 'Inner' : undefined), urlOf: (id) => `https://${id}` },
    );

  it('passes a value of the root as a parameter, also inside of Fn::Sub', () => {
    const { root, nested } = split(
      {
        Q: { Type: 'AWS::SQS::Queue' },
        F: {
          Type: 'T',
          Properties: { a: { 'Fn::GetAtt': ['Q', 'Arn'] }, b: { 'Fn::Sub': '${Q.Arn}/${Stage}/${!x}' } },
        },
      },
      { Parameters: { Stage: { Type: 'String', AllowedPattern: 'a' } } },
    );
    expect(root.Resources['Inner']?.Properties).toEqual({
      TemplateURL: 'https://Inner',
      Parameters: { QArn: { 'Fn::GetAtt': ['Q', 'Arn'] }, Stage: { Ref: 'Stage' } },
    });
    expect(nested.get('Inner')?.Resources['F']?.Properties).toEqual({
      a: { Ref: 'QArn' },
      b: { 'Fn::Sub': '${QArn}/${Stage}/${!x}' },
    });
    expect(nested.get('Inner')?.Parameters).toEqual({ QArn: { Type: 'String' }, Stage: { Type: 'String' } });
  });

  it('reads a value of a nested stack as an output, under the condition of its resource', () => {
    const { root, nested } = split(
      {
        F: { Type: 'T', Condition: 'On' },
        A: { Type: 'T', Condition: 'On', DependsOn: 'F', Properties: { f: { Ref: 'F' } } },
      },
      { Conditions: { On: { 'Fn::Equals': [{ Ref: 'P' }, 'on'] } }, Parameters: { P: { Type: 'String' } } },
    );
    expect(root.Resources['A']).toEqual({
      Type: 'T',
      Condition: 'On',
      DependsOn: ['Inner'],
      Properties: { f: { 'Fn::GetAtt': ['Inner', 'Outputs.F'] } },
    });
    expect(nested.get('Inner')).toMatchObject({
      Conditions: { On: { 'Fn::Equals': [{ Ref: 'P' }, 'on'] } },
      Outputs: { F: { Value: { Ref: 'F' }, Condition: 'On' } },
    });
  });

  it('passes a conditional resource of the root only while it exists', () => {
    const { root } = split(
      {
        Q: { Type: 'AWS::SQS::Queue', Condition: 'On' },
        F: { Type: 'T', Properties: { q: { 'Fn::If': ['On', { Ref: 'Q' }, 'none'] } } },
      },
      { Conditions: { On: { 'Fn::Equals': ['a', 'a'] } } },
    );
    expect(root.Resources['Inner']?.Properties?.['Parameters']).toEqual({
      Q: { 'Fn::If': ['On', { Ref: 'Q' }, ''] },
    });
  });
});
