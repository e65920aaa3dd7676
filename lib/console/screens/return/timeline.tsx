import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getHistory } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { useCall } from '../../api/use-call.ts';
import { hrefOf } from '../../app/router.ts';
import { Json, Section, Time } from '../../components/basics.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Resource } from '../../components/resource.tsx';
import { common } from '../../texts/common.ts';
import { label } from '../../texts/labels.ts';
import { actorText } from './actor.ts';
import { useScreen } from './context.ts';
import { eventText } from './event-texts.ts';
import { t } from './texts.ts';

type Entry = Output<'getHistory'>['items'][number];

const pageSize = 50;

const decisionOf = ({ data }: Entry): string | undefined => {
  for (const holder of [data, data['decision'], data['renewed']]) {
    const id =
      typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)['decisionId'] : undefined;
    if (typeof id === 'string') return id;
  }
  return undefined;
};

/** The data of an entry. Most people never open them, so they are made on demand. */
const Data = ({ of }: { of: Entry['data'] }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="fine">{t().data}</summary>
      {isOpen && <Json value={of} />}
    </details>
  );
};

const Item = ({ entry }: { entry: Entry }) => {
  const decisionId = decisionOf(entry);
  return (
    <li>
      <div class="row">
        <strong>{eventText(entry.type)}</strong>
        {entry.from !== entry.to && <span class="fine">→ {label('status', entry.to)}</span>}
        {decisionId !== undefined && <a href={hrefOf(`/decisions/${decisionId}`)}>{t().decision}</a>}
      </div>
      <span class="fine">
        <Time at={entry.at} /> {t().by} {actorText(entry.actor)}
        {entry.erased === true && ` · ${t().erased}`}
      </span>
      <Data of={entry.data} />
    </li>
  );
};

/** The further pages of a history, which a person reads on demand. */
const More = ({ returnId, cursor }: { returnId: string; cursor: string }) => {
  const [pages, setPages] = useState<readonly Output<'getHistory'>[]>([]);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isLoading, setLoading] = useState(false);
  const next = pages.length === 0 ? cursor : pages.at(-1)?.nextCursor;
  const load = async () => {
    if (typeof next !== 'string' || isLoading) return;
    setLoading(true);
    const answer = await call(getHistory, { returnId, limit: pageSize, cursor: next });
    setLoading(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) setPages([...pages, answer.value]);
  };
  return (
    <>
      <ol class="timeline" start={pageSize + 1}>
        {pages
          .flatMap(({ items }) => items)
          .map((entry) => (
            <Item key={entry.sequence} entry={entry} />
          ))}
      </ol>
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={() => void load()} />}
      {typeof next === 'string' && (
        <button type="button" onClick={() => void load()} aria-disabled={isLoading}>
          {common().loadMore}
        </button>
      )}
    </>
  );
};

const Pages = () => {
  const { value } = useScreen();
  const { returnId } = value;
  const first = useCall(getHistory, { returnId, limit: pageSize });
  return (
    <Resource of={first}>
      {({ items, nextCursor }) => (
        <>
          <ol class="timeline">
            {items.map((entry) => (
              <Item key={entry.sequence} entry={entry} />
            ))}
          </ol>
          {nextCursor !== null && <More returnId={returnId} cursor={nextCursor} />}
        </>
      )}
    </Resource>
  );
};

/** The history: what happened, when, and who did it. */
export const Timeline = () => {
  const { value } = useScreen();
  return (
    <Section
      title={t().history}
      actions={<a href={hrefOf(`/history?returnId=${value.returnId}`)}>{t().fullHistory}</a>}
    >
      <Pages key={value.version} />
    </Section>
  );
};
