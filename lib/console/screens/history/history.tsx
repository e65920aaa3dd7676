import { useState } from 'preact/hooks';
import { getHistory } from '../../../contract/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { hrefOf, navigate, query, setQuery } from '../../app/router.ts';
import { Section } from '../../components/basics.tsx';
import { PageEnd, PageProblem } from '../../components/page-table.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { AsOf } from './as-of.tsx';
import { ChainCheck } from './chain-check.tsx';
import { Proof } from './proof.tsx';
import { t } from './texts.ts';

const pageSize = 100;

const Choose = () => {
  const words = t();
  const [id, setId] = useState('');
  return (
    <form
      class="section"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(`/history?returnId=${encodeURIComponent(id.trim())}`);
      }}
    >
      <div class="field">
        <label for="return-id">{words.which}</label>
        <input id="return-id" value={id} onInput={({ currentTarget }) => setId(currentTarget.value)} />
      </div>
      <button type="submit" class="primary" disabled={id.trim() === ''}>
        {words.open}
      </button>
    </form>
  );
};

const OneHistory = ({ returnId }: { returnId: string }) => {
  const words = t();
  const pages = usePages(getHistory, { returnId, limit: pageSize });
  const { items = [], hasMore } = pages;
  const wanted = Number(query.value.get('entry'));
  const current = items.find(({ sequence }) => sequence === wanted) ?? items.at(-1);
  return (
    <>
      <p>
        <a href={hrefOf(`/returns/${returnId}`)}>{words.return}</a> <code class="fine">{returnId}</code>
      </p>
      <ChainCheck returnId={returnId} />
      <div class="stack">
        {current !== undefined && <AsOf returnId={returnId} entries={items} current={current} hasMore={hasMore} />}
        <Section title={words.entries}>
          <Timeline
            entries={items}
            summary={words.details}
            details={(entry) => <Proof of={entry} />}
            choice={{
              shown: current?.sequence,
              onShow: (sequence) => setQuery({ entry: String(sequence) }),
            }}
          />
          <PageProblem of={pages} />
          <PageEnd of={pages} />
        </Section>
      </div>
    </>
  );
};

/** The history of the return in the address: its entries, their proof, and the return as it was. */
export const Screen = () => {
  const returnId = query.value.get('returnId') ?? '';
  return (
    <>
      <header class="screen-head">
        <h1>{t().title}</h1>
      </header>
      {returnId === '' ? <Choose /> : <OneHistory key={returnId} returnId={returnId} />}
    </>
  );
};
