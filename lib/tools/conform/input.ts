import { type OperationEntry, toOperation } from '../../contract/entry.ts';
import { pathNames } from '../../contract/operation.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { openSchemas } from './schemas.ts';

const validate = openSchemas();

/** Returns the differences between an input and the contract of the deployment, which has the accepted fields only. */
export const inputDifferences = (name: string, entry: OperationEntry, input: JsonObject): readonly string[] => {
  const operation = toOperation(name, entry);
  const inPath = new Set(pathNames(operation));
  const inQuery = new Set(operation.query);
  const differencesIn = (schema: object, isIn: (field: string) => boolean): readonly string[] =>
    validate(schema, Object.fromEntries(Object.entries(input).filter(([field]) => isIn(field)))).map(
      (difference) => `the input${difference}`,
    );
  return [
    ...differencesIn(entry.params, (field) => inPath.has(field)),
    ...differencesIn(entry.query, (field) => inQuery.has(field)),
    ...differencesIn(entry.body, (field) => !inPath.has(field) && !inQuery.has(field)),
  ];
};
