import { isObject, type JsonObject } from '../../../runtime/json.ts';

/*
 * osls writes the stage into a template, but a package serves every stage. So osls packages for a stage without a
 * deployment. Then each text with that stage becomes one with the parameter Stage.
 */

/** The stage of a package before its deployment. The state file of osls names it until then. */
export const packagedStage = 'stage-of-the-deployment';

const withReference = (text: string): string => text.replaceAll(packagedStage, '${Stage}');

/** Returns a text as Fn::Sub, alone or with its variables. */
const substitution = (value: unknown): unknown =>
  typeof value === 'string'
    ? withReference(value)
    : Array.isArray(value)
      ? [substitution(value[0]), ...value.slice(1).map(withStage)]
      : value;

const withStage = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.includes(packagedStage) ? { 'Fn::Sub': withReference(value.replaceAll('${', '${!')) } : value;
  if (Array.isArray(value)) return value.map(withStage);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === 'Fn::Sub' ? substitution(inner) : withStage(inner)]),
  );
};

/** The sections of a template that may contain parameters. */
const sections = new Set(['Resources', 'Outputs']);

/**
 * Turns a template for `packagedStage` into one for every stage.
 *
 * @throws {Error} when the stage is in a place that cannot contain a parameter
 */
export const forEveryStage = (template: JsonObject): JsonObject => {
  const result = Object.fromEntries(
    Object.entries(template).map(([name, section]) => [name, sections.has(name) ? withStage(section) : section]),
  );
  if (JSON.stringify(result).includes(packagedStage))
    throw new Error('the stage stands in a name, or outside of the resources and outputs of the template');
  return result;
};
