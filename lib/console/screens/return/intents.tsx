import { listIntents } from '../../../contract/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { Section } from '../../components/basics.tsx';
import { IntentRow, intentColumns } from '../../components/intents.tsx';
import { PageTable } from '../../components/page-table.tsx';
import { t } from '../../components/texts.ts';
import { useScreen } from './context.ts';

/** What the commands on the return want at its shop. Nothing is shown where shops are only observed. */
export const Intents = () => {
  const { returnId, version } = useScreen().value;
  const pages = usePages(listIntents, { returnId }, { round: version });
  const { title } = t().intents;
  if (pages.items === undefined || pages.items.length === 0) return null;
  return (
    <Section title={title}>
      <PageTable
        of={pages}
        label={title}
        columns={intentColumns(true)}
        row={(intent) => <IntentRow key={intent.intentId} intent={intent} onDone={pages.reload} isOfReturn />}
      />
    </Section>
  );
};
