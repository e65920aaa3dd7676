import type { Input } from '../../../contract/contract.ts';
import { listIntents } from '../../../contract/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { filtersFromQuery } from '../../app/filters.ts';
import { setQuery } from '../../app/router.ts';
import { SelectField } from '../../components/fields.tsx';
import { IntentRow, intentColumns } from '../../components/intents.tsx';
import { PageTable } from '../../components/page-table.tsx';
import { t } from '../../components/texts.ts';
import { common } from '../../texts/common.ts';

/** What commands want at shops: those that wait for people, or another status. */
export const Screen = () => {
  const { status = 'parked' } = filtersFromQuery(['status'] as const);
  const pages = usePages(listIntents, { status, limit: 50 } as Input<'listIntents'>);
  const texts = t().intents;
  return (
    <>
      <header class="screen-head">
        <h1>{texts.title}</h1>
        <div class="actions">
          <button type="button" onClick={pages.reload}>
            {common().reload}
          </button>
        </div>
      </header>
      <div class="stack">
        <p class="fine">{texts.intro}</p>
        <section class="section filter-bar" aria-label={common().filters}>
          <SelectField
            label={common().status}
            value={status}
            options={Object.entries(texts.status)}
            onChange={(chosen) => setQuery({ status: chosen })}
          />
        </section>
        <div class="section">
          <PageTable
            of={pages}
            label={texts.title}
            columns={intentColumns()}
            row={(intent) => <IntentRow key={intent.intentId} intent={intent} onDone={pages.reload} />}
          />
        </div>
      </div>
    </>
  );
};
