import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { query, setQuery } from '../../app/router.ts';
import { common } from '../../texts/common.ts';
import { may } from '../../session/session.ts';
import { t } from './texts.ts';

/** A search for a customer. It is personal, so the address has none of it. */
export type CustomerQuery = { readonly email: string } | { readonly name: string };

type By = 'number' | 'email' | 'name';

const kinds = (): readonly By[] => (may('returns:search') ? ['number', 'email', 'name'] : ['number']);

/** One field for all numbers of returns, orders and parcels, and for customers where the person may search them. */
export const SearchBox = ({
  field,
  onCustomer,
}: {
  field: RefObject<HTMLInputElement | null>;
  onCustomer: (customer: CustomerQuery | undefined) => void;
}) => {
  const [by, setBy] = useState<By>('number');
  const text = t().search;
  const search = (event: Event) => {
    event.preventDefault();
    const value = field.current?.value.trim() ?? '';
    if (by === 'number' && value.includes('@') && kinds().includes('email')) {
      setBy('email');
      onCustomer({ email: value });
    } else if (by === 'number') {
      setQuery({ q: value });
    } else {
      onCustomer(value === '' ? undefined : by === 'email' ? { email: value } : { name: value });
    }
  };
  return (
    <form class="queue-search" role="search" onSubmit={search}>
      {kinds().length > 1 && (
        <select
          aria-label={text.by}
          value={by}
          onChange={(event) => {
            setBy(kinds().find((kind) => kind === event.currentTarget.value) ?? 'number');
            if (field.current !== null) field.current.value = '';
          }}
        >
          {kinds().map((kind) => (
            <option key={kind} value={kind}>
              {text[kind]}
            </option>
          ))}
        </select>
      )}
      <input
        ref={field}
        type="search"
        aria-label={`${common().search}: ${by === 'number' ? text.numberHint : text[by]}`}
        placeholder={by === 'number' ? text.numberHint : text.exactHint}
        maxLength={by === 'email' ? 320 : 200}
        autoComplete="off"
        spellcheck={false}
        defaultValue={query.value.get('q') ?? ''}
      />
      <button type="submit">{common().search}</button>
    </form>
  );
};
