import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConsoleForms, FormSchema } from '../../contract/console.ts';
import type { OperationName, Output } from '../../contract/contract.ts';
import { Loading } from '../components/basics.tsx';
import { toast } from '../components/toast.tsx';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { bodyOf, type LineFields } from './body.ts';
import { fieldErrorsOf } from './check.ts';
import { usePreview } from '../api/use-preview.ts';
import type { CommandDialogProps } from './command-props.ts';
import { CommandResult } from './command-result.tsx';
import { fieldErrorText, formTexts, foundErrorText } from './form-texts.ts';
import { foundError } from './found-error.ts';
import { useForms } from './load-forms.ts';
import { choicesOfReturn, isReturn, linesOfReturn } from './return-form.ts';
import { SchemaForm } from './schema-form.tsx';
import { lineKeyOf, resolverOf } from './schema.ts';
import { suggestionsOf } from './suggestions.ts';
import { type CommandState, useFormCommand } from './use-form-command.ts';

type FormProps<Name extends OperationName> = CommandDialogProps<Name> & {
  /** Says after each change whether the entries differ from those that the form began with. */
  readonly onEdit: (differs: boolean) => void;
};

type LoadedProps<Name extends OperationName> = FormProps<Name> & {
  readonly forms: ConsoleForms;
  readonly schema: FormSchema;
};

const lineFieldsOf = (forms: ConsoleForms, schema: FormSchema): LineFields => {
  const resolve = resolverOf(forms);
  return Object.fromEntries(
    Object.entries(resolve(schema).properties ?? {}).flatMap(([name, inner]): [string, LineFields[string]][] => {
      const list = resolve(inner);
      const key = lineKeyOf(resolve, list);
      if (key === undefined || list.items === undefined) return [];
      const { quantity } = resolve(list.items).properties ?? {};
      return [[name, { key, keepsZero: quantity?.minimum === 0 }]];
    }),
  );
};

const currencyOf = (before: unknown): string | undefined =>
  isReturn(before) ? before.recoveryDue.currency : undefined;

/** The entries, the body that they make, and what is wrong with them. */
const useEntries = <Name extends OperationName>(
  props: LoadedProps<Name>,
  problem: CommandState<Name>['problem'],
  showsRequired: boolean,
) => {
  const { forms, schema, operation, initial = {} } = props;
  const currency = props.currency ?? currencyOf(props.before);
  const [entries, setEntries] = useState(initial);
  const resolve = useMemo(() => resolverOf(forms), [forms]);
  const lineFields = useMemo(() => lineFieldsOf(forms, schema), [forms, schema]);
  const isNullable = (name: string) => resolve(resolve(schema).properties?.[name] ?? {}).nullable === true;
  const patch = operation.method === 'PATCH' ? { of: initial, isNullable } : undefined;
  const { body, formPath } = bodyOf(entries, lineFields, patch);
  const found = fieldErrorsOf(resolve, schema, body);
  const shown = found.filter(({ code }) => showsRequired || (code !== 'required' && code !== 'minItems'));
  const fieldErrors = new Map(shown.map((error) => [formPath(error.path), fieldErrorText(error)]));
  for (const error of problem?.errors ?? []) {
    const known = foundError(error);
    fieldErrors.set(formPath(known.path), foundErrorText(known, currency) ?? error.message);
  }
  return { entries, setEntries, body, currency, fieldErrors, isComplete: found.length === 0 };
};

/** Puts the focus on the first field with an error. */
const focusFirstError = (form: HTMLFormElement | null): void => {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form?.querySelector('.field-error');
  if (first instanceof HTMLElement && first.matches('input, select, textarea')) first.focus();
  else first?.closest<HTMLElement>('fieldset')?.focus();
};

const LoadedForm = <Name extends OperationName>(props: LoadedProps<Name>) => {
  const { forms, schema, operation, input, title, titles, onClose, onDone } = props;
  const t = formTexts();
  const form = useRef<HTMLFormElement>(null);
  const [isAttempted, setAttempted] = useState(false);
  const command = useFormCommand({
    operation,
    input,
    known: { before: props.before, version: props.version },
    read: props.read,
    onDone: (output: Output<Name>, version?: number) => {
      const done = fill(t.done, { title });
      toast(isReturn(props.before) ? `${props.before.rmaNumber} · ${done}` : done);
      onClose();
      onDone(output, version);
    },
  });
  const { state, known } = command;
  const { entries, setEntries, body, currency, fieldErrors, isComplete } = useEntries(
    props,
    state.problem,
    isAttempted,
  );
  const isSending = state.isSending === true;
  const isSent = useRef(false);
  const isPreviewing = usePreview(
    operation,
    isComplete && !isSending ? command.inputOf(body) : undefined,
    known.version,
    (answer) => void command.show(answer),
  );

  // The dialog puts the focus on its first button, which closes it, after this effect.
  useEffect(() => {
    const timer = setTimeout(() => {
      form.current?.querySelector<HTMLElement>('input, select, textarea, [type="submit"]')?.focus();
    });
    return () => clearTimeout(timer);
  }, []);

  // The errors that the API found appear first, then the focus goes to them. A dry run moves no focus.
  useEffect(() => {
    if (isSent.current && state.problem?.errors !== undefined) focusFirstError(form.current);
    isSent.current = false;
  }, [state.problem]);

  const step = () => {
    if (isSending) return;
    if (!isComplete) {
      setAttempted(true);
      setTimeout(() => focusFirstError(form.current));
      return;
    }
    isSent.current = true;
    const seen = state.preview === undefined ? {} : props.seen?.(state.preview.output);
    void command.send({ ...body, ...seen });
  };

  const excludedOf = props.excluded ?? (() => []);
  const change = (next: Readonly<Record<string, unknown>>) => {
    const excluded = new Set(excludedOf(next));
    const kept = Object.fromEntries(Object.entries(next).filter(([name]) => !excluded.has(name)));
    setEntries(kept);
    props.onEdit(JSON.stringify(kept) !== JSON.stringify(props.initial ?? {}));
    command.invalidate();
  };
  const before = known.before;
  const of = isReturn(before) ? before : undefined;
  const hasFields = Object.keys(resolverOf(forms)(schema).properties ?? {}).length > 0;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        step();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        step();
      }}
    >
      {props.children}
      {hasFields ? (
        <SchemaForm
          forms={forms}
          schema={schema}
          value={entries}
          onChange={change}
          fieldErrors={fieldErrors}
          currency={currency}
          lines={props.lines ?? (of === undefined ? undefined : linesOfReturn(operation.name, of, titles))}
          choices={{ ...(of !== undefined && choicesOfReturn(operation.name, of, titles)), ...props.choices }}
          suggestions={suggestionsOf(operation.name)}
          hidden={[...(props.hidden ?? []), ...excludedOf(entries)]}
        />
      ) : (
        <p class="fine">{common().noEntries}</p>
      )}
      {isAttempted && !isComplete && (
        <p class="field-error" role="alert">
          {t.check}
        </p>
      )}
      <CommandResult state={state} isPreviewing={isPreviewing} titles={titles} hasBefore={before !== undefined} />
      <footer class="command-actions">
        <span class="fine">{t.keys}</span>
        <button type="button" onClick={onClose}>
          {common().cancel}
        </button>
        <button type="submit" class={props.isDangerous === true ? 'danger' : 'primary'} aria-disabled={isSending}>
          {isSending ? common().sending : title}
        </button>
      </footer>
    </form>
  );
};

/** The form of a command, with its dry run. It loads the schemas first. */
export const CommandForm = <Name extends OperationName>(props: FormProps<Name>) => {
  const forms = useForms();
  if (forms === undefined) return <Loading />;
  const schema = forms.bodies[props.operation.name] ?? { type: 'object', properties: {} };
  return <LoadedForm {...props} forms={forms} schema={schema} />;
};
