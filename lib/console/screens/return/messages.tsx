import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { addNote } from '../../../contract/operations.ts';
import type { Problem } from '../../api/problem.ts';
import { useSend } from '../../api/use-command.ts';
import { ActorName } from '../../components/actor-name.tsx';
import { Section, Time } from '../../components/basics.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { toast } from '../../components/toast.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { may } from '../../session/session.ts';
import { common } from '../../texts/common.ts';
import type { Return } from './commands.ts';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

type Entry = {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly who?: ComponentChildren;
  readonly text: string | undefined;
  readonly isErased: boolean;
};

const entriesOf = ({ messages, notes }: Return): readonly Entry[] =>
  [
    ...messages.map(({ id, at, direction, text, erased }) => ({
      id,
      at,
      kind: t()[direction],
      text,
      isErased: erased === true,
    })),
    ...notes.map(({ id, at, actor, note, erased }) => ({
      id,
      at,
      kind: fieldText('note'),
      who: <ActorName actor={actor} />,
      text: note,
      isErased: erased === true,
    })),
  ].toSorted((a, b) => a.at.localeCompare(b.at));

/** A box for a note. It needs no preview: a note changes nothing else. */
const QuickNote = () => {
  const { value, reload } = useScreen();
  const [text, setText] = useState('');
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const sendOnce = useSend(addNote);
  const save = async () => {
    if (text.trim() === '' || isWorking) return;
    setWorking(true);
    const answer = await sendOnce({ returnId: value.returnId, text }, {});
    setWorking(false);
    if (answer === undefined) return;
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    setText('');
    toast(t().noteAdded);
    reload();
  };
  return (
    <form
      class="quick-note no-print"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
      }}
    >
      <label for="quick-note">{t().quickNote}</label>
      <textarea id="quick-note" maxLength={4000} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <button type="submit" aria-disabled={isWorking || text.trim() === ''}>
        {t().saveNote}
      </button>
    </form>
  );
};

/** What staff and the customer wrote, the oldest first. */
export const Messages = () => {
  const { value } = useScreen();
  const entries = entriesOf(value);
  const canNote = value.allowedActions?.some(({ action, allowed }) => action === 'addNote' && allowed) === true;
  return (
    <Section title={t().messages}>
      {entries.length === 0 && <p class="fine">{t().noMessage}</p>}
      <ul class="plain">
        {entries.map((entry) => (
          <li key={entry.id} class="message">
            <span class="fine">
              {entry.kind} · {entry.who !== undefined && <>{entry.who} · </>}
              <Time at={entry.at} />
            </span>
            <p class="written">{entry.isErased ? <em>{common().erased}</em> : entry.text}</p>
          </li>
        ))}
      </ul>
      {canNote && may('returns:write') && <QuickNote />}
    </Section>
  );
};
