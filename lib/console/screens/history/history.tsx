import { useState } from 'preact/hooks';
import { hrefOf, navigate, query } from '../../app/router.ts';
import { Loading, Section } from '../../components/basics.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { common } from '../../texts/common.ts';
import { AsOf } from './as-of.tsx';
import { ChainCheck } from './chain-check.tsx';
import { t } from './texts.ts';
import { Timeline } from './timeline.tsx';
import { useEntries } from './use-entries.ts';

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
  const { items, hasMore, isLoading, problem, more } = useEntries(returnId);
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
          <Timeline entries={items} shown={current?.sequence} />
          {problem !== undefined && <ProblemNotice problem={problem} onRetry={more} />}
          {isLoading && <Loading />}
          {hasMore && !isLoading && (
            <button type="button" onClick={more}>
              {common().loadMore}
            </button>
          )}
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
