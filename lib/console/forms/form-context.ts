import { type ComponentType, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FormSchema } from '../../contract/console.ts';
import type { Resolve } from './schema.ts';

/** A value that a field may have, with its words. */
export type Choice = { readonly value: string; readonly text: string };

/** A line that a list of units may name. */
export type LineChoice = {
  readonly id: string;
  readonly title: string;
  /** The units that the command can take. Absent where the form does not know it. */
  readonly possible?: number;
};

export type FieldProps = {
  readonly name: string;
  readonly schema: FormSchema;
  readonly value: unknown;
  readonly path: string;
  readonly required: boolean;
  readonly onChange: (value: unknown) => void;
  /** Takes an optional field out of the form. */
  readonly onRemove?: (() => void) | undefined;
  /** Shows no hint: the field stands in a table. */
  readonly compact?: boolean | undefined;
};

/** What every field of a form knows of the form. */
export type FormInfo = {
  readonly resolve: Resolve;
  /** What is wrong with the entries, by the JSON pointer of the field. */
  readonly fieldErrors: ReadonlyMap<string, string>;
  /** The currency of all amounts, if it is fixed. */
  readonly currency?: string | undefined;
  readonly lines: readonly LineChoice[];
  /** The values of fields with ids, by the name of the field. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** Values that a field proposes, by the name of the field. */
  readonly suggestions: Readonly<Record<string, readonly string[]>>;
  readonly isHidden: (name: string) => boolean;
  /** The component for any field. Fields with fields use it, so that their files do not import each other. */
  readonly Field: ComponentType<FieldProps>;
};

export const FormContext = createContext<FormInfo | undefined>(undefined);

/** Returns the form that a field belongs to. */
export const useFormInfo = (): FormInfo => {
  const info = useContext(FormContext);
  if (info === undefined) throw new Error('A field needs a form.');
  return info;
};

/** Returns the id of the element of a field, for its label and the focus. */
export const elementId = (path: string): string => `field${path.replaceAll('/', '-')}`;
