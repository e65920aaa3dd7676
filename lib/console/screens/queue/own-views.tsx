import { useState } from 'preact/hooks';
import { isRecord } from '../../api/record.ts';
import { hrefOf, query } from '../../app/router.ts';
import { session } from '../../session/session.ts';
import { fill } from '../../texts/fill.ts';
import { filterNames, hasFilters } from './filters.ts';
import { t } from './texts.ts';

/* Views of one person. This browser holds their names and filters, which have no data of a customer. */

type OwnView = { readonly name: string; readonly query: string };

const maxViews = 20;
const maxName = 40;

const storageKey = (): string => `returns-views-${session.peek()?.subject ?? ''}`;

const isView = (value: unknown): value is OwnView =>
  isRecord(value) && typeof value['name'] === 'string' && typeof value['query'] === 'string';

/** Returns the stored views. Another content of the storage is no view. */
const stored = (): readonly OwnView[] => {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? '[]');
    return Array.isArray(found) ? found.filter(isView).slice(0, maxViews) : [];
  } catch {
    return [];
  }
};

/** Returns the filters of an address. A search is no filter: it may name a person. */
const filtersOf = (address: URLSearchParams): string =>
  new URLSearchParams(
    ['view', ...filterNames].flatMap((name) => {
      const value = address.get(name);
      return value === null ? [] : [[name, value]];
    }),
  ).toString();

/** The views that the person has saved, and a field to save the shown one. */
export const OwnViews = () => {
  const [views, setViews] = useState(stored);
  const [name, setName] = useState('');
  const texts = t().ownViews;
  const shown = filtersOf(query.value);
  const change = (next: readonly OwnView[]) => {
    localStorage.setItem(storageKey(), JSON.stringify(next));
    setViews(next);
  };
  const canSave = hasFilters(query.value) && views.length < maxViews && views.every((view) => view.query !== shown);
  if (views.length === 0 && !canSave) return null;
  return (
    <div class="row">
      {views.length > 0 && (
        <nav class="tabs queue-tabs" aria-label={texts.title}>
          {views.map((view) => (
            <span key={view.query}>
              <a href={hrefOf(`/?${view.query}`)} {...(view.query === shown && { 'aria-current': 'page' as const })}>
                {view.name}
              </a>
              <button
                type="button"
                aria-label={fill(texts.remove, { name: view.name })}
                onClick={() => change(views.filter((other) => other !== view))}
              >
                ×
              </button>
            </span>
          ))}
        </nav>
      )}
      {canSave && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            change([...views, { name, query: shown }]);
            setName('');
          }}
        >
          <input
            aria-label={texts.name}
            placeholder={texts.name}
            value={name}
            maxLength={maxName}
            required
            pattern=".*\S.*"
            autocomplete="off"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <button type="submit">{texts.save}</button>
        </form>
      )}
    </div>
  );
};
