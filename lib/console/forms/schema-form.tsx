import { useMemo } from 'preact/hooks';
import type { ConsoleForms, FormSchema } from '../../contract/console.ts';
import { may } from '../session/session.ts';
import { Field } from './field.tsx';
import { type Choice, FormContext, type FormInfo, type LineChoice } from './form-context.ts';
import { ObjectFields } from './object-field.tsx';
import { resolverOf } from './schema.ts';

/** Overrides need returns:admin. */
const ofAdmins = new Set(['floorOverride', 'override', 'paymentOverride']);

export type SchemaFormProps = {
  readonly forms: ConsoleForms;
  readonly schema: FormSchema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  /** What is wrong, by the JSON pointer of the field. */
  readonly fieldErrors: ReadonlyMap<string, string>;
  readonly currency?: string | undefined;
  readonly lines?: readonly LineChoice[] | undefined;
  readonly choices?: Readonly<Record<string, readonly Choice[]>> | undefined;
  readonly suggestions?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Fields that the form does not show. Their entries stay. */
  readonly hidden?: readonly string[] | undefined;
};

const noLines: readonly LineChoice[] = [];
const none = {};

/** The fields of a body, made from its schema. */
export const SchemaForm = (props: SchemaFormProps) => {
  const { forms, schema, value, onChange, fieldErrors, currency, lines = noLines, choices = none } = props;
  const { suggestions = none, hidden = [] } = props;
  const resolve = useMemo(() => resolverOf(forms), [forms]);
  const info: FormInfo = {
    resolve,
    fieldErrors,
    currency,
    lines,
    choices,
    suggestions,
    isHidden: (name) => hidden.includes(name) || (ofAdmins.has(name) && !may('returns:admin')),
    Field,
  };
  return (
    <FormContext.Provider value={info}>
      <ObjectFields
        schema={resolve(schema)}
        value={value}
        path=""
        onChange={(next) => onChange(next as Readonly<Record<string, unknown>>)}
      />
    </FormContext.Provider>
  );
};
