import { Ajv } from 'ajv';
import { type OperationEntry, toOperation } from '../../contract/entry.ts';
import { pathNames } from '../../contract/operation.ts';
import { isObject, type JsonObject } from '../../runtime/json.ts';

/** Returns a plain schema without names: the parts of an input are validated alone. */
const withoutNames = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutNames);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) =>
      name === '$id' && typeof value === 'string' ? [] : [[name, withoutNames(value)]],
    ),
  );
};

const partDifferences = (schema: object, part: JsonObject): readonly string[] => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validate = ajv.compile(withoutNames(JSON.parse(JSON.stringify(schema))) as JsonObject);
  if (validate(part)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = 'is invalid', params }) =>
      `the input${instancePath} ${message}${'additionalProperty' in params ? ` ${String(params['additionalProperty'])}` : ''}`,
  );
};

/** Returns the differences between an input and the contract of the deployment, which has the accepted fields only. */
export const inputDifferences = (name: string, entry: OperationEntry, input: JsonObject): readonly string[] => {
  const operation = toOperation(name, entry);
  const inPath = new Set(pathNames(operation));
  const inQuery = new Set(operation.query);
  const partOf = (isIn: (field: string) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(input).filter(([field]) => isIn(field)));
  return [
    ...partDifferences(
      entry.params,
      partOf((field) => inPath.has(field)),
    ),
    ...partDifferences(
      entry.query,
      partOf((field) => inQuery.has(field)),
    ),
    ...partDifferences(
      entry.body,
      partOf((field) => !inPath.has(field) && !inQuery.has(field)),
    ),
  ];
};
