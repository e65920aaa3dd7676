import { listReasons } from '../../../contract/operations.ts';
import { flags, parties, sorts, statuses } from '../../../contract/returns/closed-lists.ts';
import { useCall } from '../../api/use-call.ts';
import { query, setQuery } from '../../app/router.ts';
import { useUsers } from '../../app/users.ts';
import { useTyped } from '../../components/fields.tsx';
import { userOptions } from '../../components/user-select.tsx';
import { common } from '../../texts/common.ts';
import { label } from '../../texts/labels.ts';
import { reasonTexts } from '../../texts/reasons.ts';
import { defaultSort, filterNames, hasFilters, unassigned } from './filters.ts';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

type Option = readonly [value: string, text: string];

const Select = ({ name, text, options }: { name: string; text: string; options: readonly Option[] }) => (
  <label class="queue-filter">
    {text}
    <select value={query.value.get(name) ?? ''} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
      {options.map(([value, word]) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </select>
  </label>
);

const ReasonSelect = () => {
  const reasons = useCall(listReasons, {});
  const chosen = query.value.get('reason');
  const texts = reasonTexts(reasons.value);
  const known = Object.entries(texts).toSorted(([, a], [, b]) => a.localeCompare(b));
  return (
    <Select
      name="reason"
      text={common().reason}
      options={[
        ['', t().filter.anyReason],
        ...known,
        ...(chosen === null || chosen in texts ? [] : [[chosen, chosen] as const]),
      ]}
    />
  );
};

/**
 * The filters of the list. They are part of the address.
 *
 * @param platforms the platforms of the shown returns, as suggestions
 */
export const FilterBar = ({ platforms }: { platforms: ReadonlySet<string> }) => {
  const users = useUsers();
  const text = t().filter;
  const platform = useTyped(query.value.get('platform') ?? '', (typed) =>
    setQuery({ platform: typed.trim().toLowerCase() }),
  );
  return (
    <div class="queue-filters" role="group" aria-label={common().filters}>
      <Select
        name="status"
        text={common().status}
        options={[
          ['', text.anyStatus],
          ['open', text.open],
          ...statuses.map((status): Option => [status, label('status', status)]),
        ]}
      />
      <Select
        name="nextBy"
        text={text.nextBy}
        options={[['', text.anyone], ...parties.map((party): Option => [party, label('party', party)])]}
      />
      <Select
        name="assignee"
        text={fieldText('assignee')}
        options={[['', text.anyAssignee], [unassigned, common().noAssignee], ...userOptions(users)]}
      />
      <Select
        name="flag"
        text={text.flag}
        options={[['', text.anyFlag], ...flags.map((flag): Option => [flag, label('flag', flag)])]}
      />
      <ReasonSelect />
      <label class="queue-filter">
        {common().platform}
        <input
          type="text"
          list="queue-platforms"
          maxLength={40}
          spellcheck={false}
          autoCapitalize="off"
          {...platform}
        />
        <datalist id="queue-platforms">
          {[...platforms].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <Select
        name="sort"
        text={text.sort}
        options={sorts.map((sort): Option => [sort === defaultSort(query.value) ? '' : sort, text[sort]])}
      />
      <label class="queue-check">
        <input
          type="checkbox"
          checked={query.value.get('overdue') === 'true'}
          onChange={(event) => setQuery({ overdue: event.currentTarget.checked ? 'true' : undefined })}
        />
        {text.overdue}
      </label>
      {hasFilters(query.value) && (
        <button
          type="button"
          class="link-button"
          onClick={() => setQuery(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
        >
          {text.clear}
        </button>
      )}
    </div>
  );
};
