import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../contract/contract.ts';
import { hrefOf } from '../app/router.ts';
import english from '../texts/en/timeline.json' with { type: 'json' };
import { eventText } from '../texts/event-words.ts';
import { fill } from '../texts/fill.ts';
import { label } from '../texts/labels.ts';
import { texts } from '../texts/language.ts';
import brazilian from '../texts/pt-BR/timeline.json' with { type: 'json' };
import portuguese from '../texts/pt/timeline.json' with { type: 'json' };
import { ActorName } from './actor-name.tsx';
import { Badge, Time } from './basics.tsx';

const t = texts(english, portuguese, brazilian);

export type Entry = Output<'getHistory'>['items'][number];

type Common = {
  /** The title and the content of the part that a person opens. */
  readonly summary: string;
  readonly details: (entry: Entry) => ComponentChildren;
  /** What an entry shows besides. */
  readonly more?: (entry: Entry) => ComponentChildren;
  /** The number of the entry that the screen shows, and how to choose another one. Absent without a choice. */
  readonly choice?: { readonly shown: number | undefined; readonly onShow: (sequence: number) => void };
};

/** Returns the ids of decisions anywhere in the data of an entry. */
const decisionsIn = (data: unknown): readonly string[] => [
  ...new Set(JSON.stringify(data).match(/dec_[0-9A-HJKMNP-TV-Z]{26}/g)),
];

const StatusChange = ({ of: { from, to } }: { of: Entry }) => {
  if (from === to) return null;
  const next = label('status', to);
  return (
    <Badge tone="active">
      {from === null ? fill(t().begins, { to: next }) : fill(t().becomes, { from: label('status', from), to: next })}
    </Badge>
  );
};

/** Most people never open the details, so they are made on demand. */
export const Details = ({ summary, details, of }: Pick<Common, 'summary' | 'details'> & { of: Entry }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && details(of)}
    </details>
  );
};

const Item = ({ of, choice, more, ...rest }: Common & { of: Entry }) => {
  const { sequence } = of;
  const isShown = choice?.shown === sequence;
  return (
    <li {...(isShown && { 'aria-current': 'step' as const })}>
      <div class="row">
        <span class="timeline-number">{sequence}</span>
        <strong>{eventText(of.type)}</strong>
        <StatusChange of={of} />
        <span>
          {t().by} <ActorName actor={of.actor} />
        </span>
        <Time at={of.at} />
        {choice !== undefined && (
          <button
            type="button"
            class="link-button no-print"
            aria-pressed={isShown}
            onClick={() => choice.onShow(sequence)}
          >
            {isShown ? t().shown : t().show}
            <span class="visually-hidden"> {fill(t().entry, { sequence })}</span>
          </button>
        )}
        {decisionsIn(of.data).map((id) => (
          <a key={id} href={hrefOf(`/decisions/${id}`)}>
            {t().decision}
          </a>
        ))}
      </div>
      {of.erased === true && <p class="fine">{t().erased}</p>}
      {more?.(of)}
      <Details of={of} {...rest} />
    </li>
  );
};

/** The entries of the history of a return, the oldest first. */
export const Timeline = ({ entries, ...rest }: Common & { entries: readonly Entry[] }) => (
  <ol class="timeline" aria-label={t().title}>
    {entries.map((entry) => (
      <Item key={entry.sequence} of={entry} {...rest} />
    ))}
  </ol>
);
