import { useState } from 'preact/hooks';
import { common } from '../texts/common.ts';
import { fieldText } from './field-texts.ts';
import { useFormInfo } from './form-context.ts';
import { formTexts } from './form-texts.ts';
import type { Control } from './input-attributes.ts';
import { codeText } from './value-texts.ts';

/** Codes have no spaces and capitals: what a person types becomes one. */
const asCode = (text: string): string => text.toLowerCase().replaceAll(/[^a-z_]+/g, '_');

/** No code has this value. */
const another = '*';

/** A code of the shop: one of those that the form proposes, or another one. */
export const CodeControl: Control = ({ name, value, onChange, attributes }) => {
  const proposed = useFormInfo().suggestions[name] ?? [];
  const code = typeof value === 'string' ? value : '';
  const [isOther, setOther] = useState(proposed.length === 0 || (code !== '' && !proposed.includes(code)));
  const change = (text: string) => onChange(text === '' ? undefined : text);
  const choose = (chosen: string) => {
    setOther(chosen === another);
    change(chosen === another ? '' : chosen);
  };
  return (
    <>
      {proposed.length > 0 && (
        <select
          {...attributes}
          value={isOther ? another : code}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">{`${common().choose}…`}</option>
          {proposed.map((suggestion) => (
            <option key={suggestion} value={suggestion}>
              {codeText(name, suggestion)}
            </option>
          ))}
          <option value={another}>{formTexts().anotherCode}</option>
        </select>
      )}
      {isOther && (
        <input
          {...(proposed.length === 0 ? attributes : { 'aria-label': `${fieldText(name)}: ${formTexts().anotherCode}` })}
          type="text"
          autocomplete="off"
          value={code}
          onInput={(event) => change(asCode(event.currentTarget.value))}
          onBlur={({ currentTarget }) => change(asCode(currentTarget.value).replaceAll(/^_+|_+$/g, ''))}
        />
      )}
    </>
  );
};
