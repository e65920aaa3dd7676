import { readFile } from 'node:fs/promises';
import { isObject } from '../../../runtime/json.ts';
import { parameterError, type Parameter } from './parameter.ts';

/*
 * The part of CloudFormation that the template uses. An unsupported part is an error with its path: a local stack that
 * guesses would hide errors of AWS.
 */

export type Resource = {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  /** The name of the condition without which the resource does not exist. */
  readonly Condition?: string;
};

export type Template = {
  readonly Parameters?: Readonly<Record<string, Parameter>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, Resource>>;
};

/** The results of `Ref` and `Fn::GetAtt` for a resource. */
export type LocalResource = { readonly ref: string; readonly attributes: Readonly<Record<string, string>> };

export type Scope = {
  readonly template: Template;
  /** Values by name; the defaults of the template apply otherwise. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly resources: Readonly<Record<string, LocalResource>>;
};

export const region = 'eu-central-1';
export const accountId = '000000000000';

const noValue = Symbol('AWS::NoValue');

const pseudoParameters: Readonly<Record<string, unknown>> = {
  'AWS::AccountId': accountId,
  'AWS::NoValue': noValue,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackName': 'returns-local',
  'AWS::URLSuffix': 'amazonaws.com',
};

type Intrinsic = (argument: unknown, path: string, scope: Scope) => unknown;

const parameterValue = (name: string, parameter: Parameter, scope: Scope, path: string): string => {
  const value = scope.parameters[name] ?? parameter.Default;
  if (value === undefined) throw new Error(`${path}: parameter ${name} has no value`);
  if (parameter.Type !== 'String' && parameter.Type !== 'Number') {
    throw new Error(`${path}: parameter ${name} has the type ${parameter.Type}, which the local stack does not know`);
  }
  const error = parameterError(parameter, String(value));
  if (error !== undefined)
    throw new Error(`${path}: parameter ${name} does not allow ${JSON.stringify(value)}: it ${error}`);
  return String(value);
};

const reference: Intrinsic = (name, path, scope) => {
  if (typeof name !== 'string') throw new Error(`${path}: Ref needs a name`);
  if (name in pseudoParameters) return pseudoParameters[name];
  const parameter = scope.template.Parameters?.[name];
  if (parameter !== undefined) return parameterValue(name, parameter, scope, path);
  return local(name, path, scope).ref;
};

const local = (logicalId: string, path: string, scope: Scope): LocalResource => {
  const found = scope.resources[logicalId];
  if (found !== undefined) return found;
  const type = scope.template.Resources[logicalId]?.Type;
  throw new Error(
    `${path}: ${type === undefined ? 'there is no' : `the local stack does not know ${type} of`} ${logicalId}`,
  );
};

const attribute: Intrinsic = (argument, path, scope) => {
  const [logicalId, ...rest] =
    typeof argument === 'string' ? argument.split('.') : Array.isArray(argument) ? argument : [];
  if (typeof logicalId !== 'string' || rest.length === 0)
    throw new Error(`${path}: Fn::GetAtt needs a resource and an attribute`);
  const name = rest.join('.');
  const value = local(logicalId, path, scope).attributes[name];
  if (value === undefined) throw new Error(`${path}: the local stack does not know ${logicalId}.${name}`);
  return value;
};

const join: Intrinsic = (argument, path, scope) => {
  const [separator, parts] = Array.isArray(argument) ? argument : [];
  if (typeof separator !== 'string' || !Array.isArray(parts))
    throw new Error(`${path}: Fn::Join needs a separator and a list`);
  return parts.map((part, index) => textOf(part, `${path}/1/${index}`, scope)).join(separator);
};

const substitute: Intrinsic = (argument, path, scope) => {
  const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
  if (typeof text !== 'string' || !isObject(variables)) throw new Error(`${path}: Fn::Sub needs a text`);
  return text.replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal !== '') return `\${${name}}`;
    if (name in variables) return textOf(variables[name], `${path}/1/${name}`, scope);
    return textOf(name.includes('.') ? { 'Fn::GetAtt': name } : { Ref: name }, path, scope);
  });
};

const split: Intrinsic = (argument, path, scope) => {
  const [separator, text] = Array.isArray(argument) ? argument : [];
  if (typeof separator !== 'string' || separator === '' || text === undefined)
    throw new Error(`${path}: Fn::Split needs a separator and a text`);
  return textOf(text, `${path}/1`, scope).split(separator);
};

type Test = (argument: unknown, path: string, scope: Scope) => boolean;

const equals: Test = (argument, path, scope) => {
  const [left, right, ...others] = Array.isArray(argument) ? argument : [];
  if (right === undefined || others.length > 0) throw new Error(`${path}: Fn::Equals needs two texts`);
  return textOf(left, `${path}/0`, scope) === textOf(right, `${path}/1`, scope);
};

const operands = (argument: unknown, path: string, scope: Scope): readonly boolean[] => {
  if (!Array.isArray(argument) || argument.length === 0) throw new Error(`${path}: needs a list of conditions`);
  return argument.map((item, index) => test(item, `${path}/${index}`, scope));
};

const tests: Readonly<Record<string, Test>> = {
  Condition: (name, path, scope) => holds(name, path, scope),
  'Fn::And': (argument, path, scope) => operands(argument, path, scope).every(Boolean),
  'Fn::Equals': equals,
  'Fn::Not': (argument, path, scope) => !operands(argument, path, scope)[0],
};

const test: Test = (value, path, scope) => {
  const [key = '', ...others] = Object.keys(isObject(value) ? value : {});
  const run = others.length > 0 ? undefined : tests[key];
  if (run === undefined || !isObject(value)) throw new Error(`${path}: the local stack does not know this condition`);
  return run(value[key], `${path}/${key}`, scope);
};

/** Whether a condition of the template holds. `path` is the place of its name, for errors. */
export const holds = (name: unknown, path: string, scope: Pick<Scope, 'template' | 'parameters'>): boolean => {
  const conditions = scope.template.Conditions ?? {};
  if (typeof name !== 'string' || !Object.hasOwn(conditions, name)) {
    throw new Error(`${path}: there is no condition ${JSON.stringify(name)}`);
  }
  // A condition cannot name a resource.
  return test(conditions[name], `/Conditions/${name}`, { ...scope, resources: {} });
};

/** Evaluates only the chosen branch: the other one may name missing resources. */
const choice: Intrinsic = (argument, path, scope) => {
  const [name, ...branches] = Array.isArray(argument) ? argument : [];
  if (branches.length !== 2) throw new Error(`${path}: Fn::If needs a condition and two values`);
  const index = holds(name, `${path}/0`, scope) ? 0 : 1;
  return resolve(branches[index], `${path}/${index + 1}`, scope);
};

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: reference,
  'Fn::If': choice,
  'Fn::GetAtt': attribute,
  'Fn::Join': join,
  'Fn::Split': split,
  'Fn::Sub': substitute,
};

const textOf = (value: unknown, path: string, scope: Scope): string => {
  const resolved = resolve(value, path, scope);
  if (typeof resolved !== 'string' && typeof resolved !== 'number') throw new Error(`${path}: must be text`);
  return String(resolved);
};

const present = (value: unknown): boolean => value !== noValue;

/** Replaces the intrinsics in a value of the template. `path` is its place, for errors. */
export const resolve = (value: unknown, path: string, scope: Scope): unknown => {
  if (Array.isArray(value)) return value.map((item, index) => resolve(item, `${path}/${index}`, scope)).filter(present);
  if (!isObject(value)) return value;
  const [key, ...others] = Object.keys(value);
  const intrinsic = key === undefined || others.length > 0 ? undefined : intrinsics[key];
  if (key !== undefined && intrinsic !== undefined) return intrinsic(value[key], `${path}/${key}`, scope);
  const unknown = Object.keys(value).find((name) => name === 'Ref' || name === 'Condition' || name.startsWith('Fn::'));
  // IAM has a `Condition` next to other keys; alone it is CloudFormation's.
  if (unknown !== undefined && (unknown !== 'Condition' || others.length === 0)) {
    throw new Error(`${path}/${unknown}: the local stack does not know this intrinsic`);
  }
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [
    name,
    resolve(item, `${path}/${name}`, scope),
  ]);
  return Object.fromEntries(entries.filter(([, item]) => present(item)));
};

/** Reads the CloudFormation template that osls wrote for a mode. */
export const readTemplate = async (file: string): Promise<Template> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} is missing: package the bundle first (npm run package)`, { cause: error });
  }
  return JSON.parse(text) as Template;
};
