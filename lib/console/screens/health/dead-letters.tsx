import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { listDeadLetters, redriveDeadLetters } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { Badge, Section } from '../../components/basics.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { RedriveDialog } from '../../components/redrive-dialog.tsx';
import { Resource } from '../../components/resource.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { formatNumber } from '../../texts/format.ts';
import { t } from './texts.ts';

type Queue = Output<'listDeadLetters'>['queues'][number];

/** The dead-letter queues of the deployment. */
export const DeadLetters = () => {
  const loaded = useCall(listDeadLetters, {});
  const [open, setOpen] = useState<Queue | undefined>();
  const texts = t();
  return (
    <Section
      title={texts.deadLetters}
      actions={
        <button type="button" onClick={loaded.reload}>
          {common().reload}
        </button>
      }
    >
      <Resource of={loaded}>
        {({ queues }) => (
          <TableWrap label={texts.deadLetters}>
            <Columns names={[texts.queue, `#${texts.messages}`, texts.effect, texts.redrive]} />
            <tbody>
              {queues.map((queue) => (
                <tr key={queue.queue}>
                  <th scope="row">{texts.queues[queue.queue]}</th>
                  <td class="number">
                    {queue.messages === 0 ? '0' : <Badge tone="bad">{formatNumber(queue.messages)}</Badge>}
                  </td>
                  <td class="wrap">{texts.effects[queue.queue]}</td>
                  <td>
                    <button
                      type="button"
                      aria-label={fill(texts.redriveOf, { queue: texts.queues[queue.queue] })}
                      onClick={() => setOpen(queue)}
                    >
                      {texts.redrive}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </TableWrap>
        )}
      </Resource>
      {open !== undefined && (
        <RedriveDialog
          title={fill(texts.redriveOf, { queue: texts.queues[open.queue] })}
          operation={redriveDeadLetters}
          input={{ queue: open.queue }}
          onClose={() => {
            setOpen(undefined);
            loaded.reload();
          }}
        >
          <p>{texts.effects[open.queue]}</p>
        </RedriveDialog>
      )}
    </Section>
  );
};
