import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../contract/contract.ts';
import { hrefOf } from '../app/router.ts';
import { eventText } from '../texts/event-words.ts';
import { label } from '../texts/labels.ts';
import { texts } from '../texts/language.ts';
import { ActorName } from './actor-name.tsx';
import { Badge, Time } from './basics.tsx';

const t = texts(
  {
    title: 'Entries of the history',
    entry: (sequence: number) => `Entry ${sequence}`,
    by: 'by',
    becomes: (from: string, to: string) => `${from} → ${to}`,
    begins: (to: string) => `begins as ${to}`,
    show: 'Show the return as it was then',
    shown: 'shown above',
    decision: 'Open the decision',
    erased: 'The texts of this entry were erased.',
  },
  {
    title: 'Registos do histórico',
    entry: (sequence) => `Registo ${sequence}`,
    by: 'por',
    becomes: (from, to) => `${from} → ${to}`,
    begins: (to) => `começa como ${to}`,
    show: 'Mostrar a devolução como era então',
    shown: 'mostrado acima',
    decision: 'Abrir a decisão',
    erased: 'Os textos deste registo foram apagados.',
  },
  {
    title: 'Registros do histórico',
    entry: (sequence) => `Registro ${sequence}`,
    erased: 'Os textos deste registro foram apagados.',
  },
);

export type Entry = Output<'getHistory'>['items'][number];

type Common = {
  /** The title and the content of the part that a person opens. */
  readonly summary: string;
  readonly details: (entry: Entry) => ComponentChildren;
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
  return <Badge tone="active">{from === null ? t().begins(next) : t().becomes(label('status', from), next)}</Badge>;
};

/** Most people never open the details, so they are made on demand. */
const Details = ({ summary, details, of }: Pick<Common, 'summary' | 'details'> & { of: Entry }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && details(of)}
    </details>
  );
};

const Item = ({ of, choice, ...rest }: Common & { of: Entry }) => {
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
            <span class="visually-hidden"> {t().entry(sequence)}</span>
          </button>
        )}
        {decisionsIn(of.data).map((id) => (
          <a key={id} href={hrefOf(`/decisions/${id}`)}>
            {t().decision}
          </a>
        ))}
      </div>
      {of.erased === true && <p class="fine">{t().erased}</p>}
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
