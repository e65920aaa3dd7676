import { getHistory } from '../../../contract/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { hrefOf } from '../../app/router.ts';
import { Json, Section } from '../../components/basics.tsx';
import { PageEnd, PageProblem } from '../../components/page-table.tsx';
import { Timeline as Entries } from '../../components/timeline.tsx';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

const pageSize = 50;

/** The history: what happened, when, and who did it. Each version of the return has another one. */
export const Timeline = () => {
  const { returnId, version } = useScreen().value;
  const pages = usePages(getHistory, { returnId, limit: pageSize }, { round: version });
  return (
    <Section title={t().history} actions={<a href={hrefOf(`/history?returnId=${returnId}`)}>{t().fullHistory}</a>}>
      <Entries entries={pages.items ?? []} summary={t().data} details={({ data }) => <Json value={data} />} />
      <PageProblem of={pages} />
      <PageEnd of={pages} />
    </Section>
  );
};
