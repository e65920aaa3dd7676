import type { ComponentType } from 'preact';
import type { FieldProps } from './form-context.ts';
import type { Resolved } from './schema.ts';

/** The attributes that connect an input with its label, hint and error. */
export type InputAttributes = {
  readonly id: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean | undefined;
  readonly 'aria-label'?: string | undefined;
  readonly required?: boolean | undefined;
};

export type ControlProps = Pick<FieldProps, 'name' | 'value' | 'onChange' | 'required'> & {
  readonly schema: Resolved;
  readonly attributes: InputAttributes;
};

/** An input for a single value. An entry that cannot be read stays in the form as it is, and has an error. */
export type Control = ComponentType<ControlProps>;
