import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';

/*
 * Checks a template against the resource schemas that AWS publishes. CloudFormation would reject the same errors after
 * minutes, or only AWS itself.
 */

type Fields = Readonly<Record<string, unknown>>;
type Resource = { readonly Type: string; readonly Properties?: Fields } & Fields;
export type Deployable = {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Parameters?: Fields;
  readonly Conditions?: Fields;
  readonly Outputs?: Fields;
};

const spec = loadAwsServiceSpecSync();
type Specified = ReturnType<typeof findResource>;
type Properties = NonNullable<Specified>['properties'];
type PropertyType = Properties[string]['type'];

const findResource = (type: string) => [...spec.lookup('resource', 'cloudFormationType', 'equals', type)].at(0);

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the CloudFormation function of a value. Its result is unknown before a deployment. */
const intrinsic = (value: unknown): string | undefined => {
  const [name, ...others] = isObject(value) ? Object.keys(value) : [];
  return others.length === 0 && (name === 'Ref' || name?.startsWith('Fn::') === true) ? name : undefined;
};

const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => ['string', 'number', 'boolean'].includes(typeof value),
  integer: (value) => Number.isInteger(Number(value)) && value !== '',
  number: (value) => Number.isFinite(Number(value)) && value !== '',
  boolean: (value) => [true, false, 'true', 'false'].includes(value as boolean),
  json: (value) => typeof value === 'object' || typeof value === 'string',
  'date-time': (value) => typeof value === 'string',
  tag: isObject,
  null: (value) => value === null,
};

const errorsOfFields = (properties: Properties, value: Fields, path: string): readonly string[] => [
  ...Object.keys(value)
    .filter((name) => properties[name] === undefined)
    .map((name) => `${path}/${name}: no such property`),
  ...Object.entries(properties)
    .filter(([name, { required }]) => required === true && value[name] === undefined)
    .map(([name]) => `${path}/${name}: is required`),
  ...Object.entries(value).flatMap(([name, inner]) => {
    const type = properties[name]?.type;
    return type === undefined ? [] : errorsOfType(type, inner, `${path}/${name}`);
  }),
];

const errorsOfType = (type: PropertyType, value: unknown, path: string): readonly string[] => {
  const called = intrinsic(value);
  if (called === 'Fn::If') {
    const [, ...branches] = (value as { readonly 'Fn::If': readonly unknown[] })['Fn::If'];
    return branches.flatMap((branch, index) => errorsOfType(type, branch, `${path}/Fn::If/${index + 1}`));
  }
  if (called !== undefined) return [];
  if (type.type === 'array') {
    return Array.isArray(value)
      ? value.flatMap((item, index) => errorsOfType(type.element, item, `${path}/${index}`))
      : [`${path}: must be a list`];
  }
  if (type.type === 'map') {
    return isObject(value)
      ? Object.entries(value).flatMap(([name, item]) => errorsOfType(type.element, item, `${path}/${name}`))
      : [`${path}: must be an object`];
  }
  if (type.type === 'ref') {
    if (!isObject(value)) return [`${path}: must be an object`];
    return errorsOfFields(spec.get('typeDefinition', type.reference).properties, value, path);
  }
  if (type.type === 'union') {
    const errors = type.types.map((one) => errorsOfType(one, value, path));
    return errors.some(({ length }) => length === 0) ? [] : (errors[0] ?? []);
  }
  if (scalars[type.type]?.(value) !== true) return [`${path}: must be of the type ${type.type}`];
  const allowed = type.type === 'string' ? type.allowedValues : undefined;
  return allowed === undefined || allowed.includes(String(value))
    ? []
    : [`${path}: must be one of ${allowed.join(', ')}`];
};

/** Finds properties that the schemas do not have, or of another type. */
export const propertyErrors = ({ Resources }: Deployable): readonly string[] =>
  Object.entries(Resources).flatMap(([name, { Type, Properties = {} }]) => {
    const path = `/Resources/${name}/Properties`;
    const resource = findResource(Type);
    return resource === undefined
      ? [`/Resources/${name}/Type: no such type`]
      : errorsOfFields(resource.properties, Properties, path);
  });

type Reference = { readonly path: string; readonly to: string; readonly attribute?: string };

/** Returns the references in a value at any depth: Ref, Fn::GetAtt, Fn::Sub and conditions. */
const referencesIn = (value: unknown, path: string): readonly Reference[] => {
  if (Array.isArray(value)) return value.flatMap((item, index) => referencesIn(item, `${path}/${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]): readonly Reference[] => {
    const here = `${path}/${name}`;
    if (name === 'Ref' && intrinsic(value) === 'Ref') return [{ path: here, to: String(inner) }];
    if (name === 'Fn::GetAtt') {
      const [to = '', ...attribute] = Array.isArray(inner) ? inner.map(String) : String(inner).split('.');
      return [{ path: here, to, attribute: attribute.join('.') }];
    }
    if (name === 'Fn::Sub') {
      const [text, variables = {}] = Array.isArray(inner) ? (inner as [string, Fields?]) : [String(inner)];
      const found = Array.from(text.matchAll(/\$\{([^!}][^}]*)\}/g), ([, one = '']) => one);
      return found
        .filter((one) => !Object.hasOwn(variables, one))
        .map((one) => {
          const [to = '', ...attribute] = one.split('.');
          return { path: here, to, ...(attribute.length > 0 && { attribute: attribute.join('.') }) };
        });
    }
    return referencesIn(inner, here);
  });
};

const referencesOf = (template: Deployable): readonly Reference[] => [
  ...referencesIn(template.Resources, '/Resources'),
  ...referencesIn(template.Outputs ?? {}, '/Outputs'),
];

/** Finds references without a resource, an attribute of its type, or a parameter. */
export const referenceErrors = (template: Deployable): readonly string[] =>
  referencesOf(template).flatMap(({ path, to, attribute }) => {
    if (to.startsWith('AWS::')) return [];
    const resource = template.Resources[to];
    if (attribute === undefined)
      return resource !== undefined || template.Parameters?.[to] !== undefined ? [] : [`${path}: there is no ${to}`];
    if (resource === undefined) return [`${path}: there is no resource ${to}`];
    // The template of the nested stack has it.
    if (resource.Type === 'AWS::CloudFormation::Stack' && attribute.startsWith('Outputs.')) return [];
    const known = findResource(resource.Type);
    const isKnown = [known?.attributes, known?.properties].some((names) => names?.[attribute] !== undefined);
    return isKnown ? [] : [`${path}: ${resource.Type} has no attribute ${attribute}`];
  });

/** Finds circular dependencies: CloudFormation could create none of these resources. */
export const cycleErrors = (template: Deployable): readonly string[] => {
  const waits = new Map(
    Object.entries(template.Resources).map(([name, resource]) => {
      const named = [resource['DependsOn'] ?? []].flat().map(String);
      const found = referencesIn(resource.Properties ?? {}, '').map(({ to }) => to);
      return [name, new Set([...named, ...found].filter((to) => template.Resources[to] !== undefined))];
    }),
  );
  for (let created = true; created;) {
    created = false;
    for (const [name, others] of waits) {
      if ([...others].some((other) => waits.has(other))) continue;
      waits.delete(name);
      created = true;
    }
  }
  return [...waits.keys()].map((name) => `/Resources/${name}: waits for itself by mode of others`);
};

/** The fields in which resources have custom names. */
const nameFields = [
  'FunctionName',
  'QueueName',
  'RoleName',
  'LogGroupName',
  'AlarmName',
  'TableName',
  'BucketName',
  'Name',
];

/** Finds two resources of a type with the same name. */
export const nameErrors = ({ Resources }: Deployable): readonly string[] => {
  // Each function has an alias of the same name.
  const named = Object.values(Resources).filter(({ Type }) => Type !== 'AWS::Lambda::Alias');
  const names = named.flatMap(({ Type, Properties = {} }) =>
    nameFields
      .filter((field) => typeof Properties[field] === 'string' || intrinsic(Properties[field]) === 'Fn::Sub')
      .map((field) => `${Type} ${JSON.stringify(Properties[field])}`),
  );
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `two resources are ${name}`);
};
