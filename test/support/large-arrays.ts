import { contract, type OperationName } from '../../lib/contract/contract.ts';
import { maxBodyBytes } from '../../lib/edge/http/body.ts';
import { validateInput, type Validators } from '../../lib/contract/validation/input.ts';

type Schema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

type ArrayPosition = { readonly at: string; readonly around: readonly [before: string, after: string] };

/** Returns each array inside a schema, and the JSON around it. Policies nest conditions: four levels are enough. */
const arraysIn = (schema: Schema, position: ArrayPosition, depth = 0): readonly ArrayPosition[] => {
  if (depth > 8) return [];
  const [before, after] = position.around;
  return [
    ...(schema.anyOf ?? []).flatMap((one) => arraysIn(one, position, depth)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      arraysIn(inner, { at: `${position.at}/${name}`, around: [`${before}{"${name}":`, `}${after}`] }, depth + 1),
    ),
    ...(schema.items === undefined
      ? []
      : [
          position,
          ...arraysIn(schema.items, { at: `${position.at}/0`, around: [`${before}[`, `]${after}`] }, depth + 1),
        ]),
  ];
};

export const fillings: Readonly<Record<string, (index: number) => string>> = {
  numbers: () => '0',
  'empty objects': () => '{}',
  'distinct objects': (index) => `{"a":${index}}`,
};

export type LargeArray = { readonly operation: OperationName; readonly at: string; readonly position: ArrayPosition };

/** Each array that a body of any operation can have. */
export const largeArrays: readonly LargeArray[] = (
  Object.entries(contract) as readonly [OperationName, { readonly body: Schema }][]
).flatMap(([operation, { body }]) => {
  const positions = new Map(arraysIn(body, { at: '', around: ['', ''] }).map((position) => [position.at, position]));
  return [...positions.values()].map((position) => ({ operation, at: position.at, position }));
});

/** Returns a body just under the limit, which consists of one array. */
export const bodyWith = ({ around: [before, after] }: ArrayPosition, item: (index: number) => string): string => {
  const maximum = maxBodyBytes - before.length - after.length - 2;
  const items: string[] = [];
  for (let length = 0; ;) {
    const next = item(items.length);
    length += next.length + 1;
    if (length > maximum) return `${before}[${items.join(',')}]${after}`;
    items.push(next);
  }
};

const load = async (name: string) => (await import(`../../dist/contract/validators/${name}.js`)) as Validators;

/** Returns the cost of checking a body, as a multiple of its parsing: the least of a few alternating runs. */
export const costOf = async (operation: OperationName, body: string, turns = 3): Promise<number> => {
  const validators = await load(operation);
  const minimum = { parse: Infinity, check: Infinity };
  for (let turn = 0; turn < turns; turn += 1) {
    const began = performance.now();
    const parsed = JSON.parse(body) as Record<string, unknown>;
    const read = performance.now();
    const checked = validateInput(validators, { path: {}, query: {}, body: parsed });
    const ended = performance.now();
    if (checked.ok) throw new Error(`${operation} takes a body of ${body.length} bytes`);
    minimum.parse = Math.min(minimum.parse, read - began);
    minimum.check = Math.min(minimum.check, ended - read);
  }
  return minimum.check / minimum.parse;
};
