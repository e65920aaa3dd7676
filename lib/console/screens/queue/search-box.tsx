import type { RefObject } from 'preact';
import { common } from '../../texts/common.ts';
import { may } from '../../session/session.ts';
import { t } from './texts.ts';

/** One field for all that a person knows of a return: a number, or the customer where the person may search them. */
export const SearchBox = ({
  field,
  text,
  onSearch,
}: {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  onSearch: (text: string) => void;
}) => {
  const hint = may('returns:search') ? t().search.hint : t().search.numberHint;
  return (
    <form
      class="queue-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(field.current?.value.trim() ?? '');
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label={`${common().search}: ${hint}`}
        placeholder={hint}
        maxLength={320}
        autoComplete="off"
        spellcheck={false}
        defaultValue={text}
      />
      <button type="submit">{common().search}</button>
    </form>
  );
};
