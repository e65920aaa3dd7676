import { ActorName } from '../../components/actor-name.tsx';
import { Badge, Facts, Time } from '../../components/basics.tsx';
import { hrefOf, setQuery } from '../../app/router.ts';
import { label } from '../../texts/labels.ts';
import { entryType } from './entry-words.ts';
import { t } from './texts.ts';
import type { Entry } from './use-entries.ts';
import { Value } from './values.tsx';

/** Returns the ids of decisions anywhere in the data of an entry. */
const decisionsIn = (data: unknown): readonly string[] => [
  ...new Set(JSON.stringify(data).match(/dec_[0-9A-HJKMNP-TV-Z]{26}/g)),
];

const PolicyLink = ({ version }: { version: string }) => {
  const [policyId = '', number = ''] = version.split('/');
  return <a href={hrefOf(`/policies/${policyId}?tab=versions&version=${number}`)}>{version}</a>;
};

const Proof = ({ of }: { of: Entry }) => {
  const words = t();
  return (
    <Facts
      rows={[
        [words.policy, of.policyVersion === null ? undefined : <PolicyLink version={of.policyVersion} />],
        [words.cause, <code>{of.causationId}</code>],
        [words.correlation, <code>{of.correlationId}</code>],
        [words.hash, <code>{of.hash}</code>],
        [words.previous, <code>{of.previousHash}</code>],
        [words.mac, of.mac === undefined ? words.noMac : <code>{of.mac.key}</code>],
      ]}
    />
  );
};

const StatusChange = ({ of: { from, to } }: { of: Entry }) => {
  const words = t();
  if (from === to) return null;
  const next = label('status', to);
  return <Badge tone="active">{from === null ? words.begins(next) : words.becomes(label('status', from), next)}</Badge>;
};

const Item = ({ of, isShown }: { of: Entry; isShown: boolean }) => {
  const words = t();
  return (
    <li class="entry" {...(isShown && { 'aria-current': 'step' as const })}>
      <div class="row">
        <span class="entry-number">{of.sequence}</span>
        <strong>{entryType(of.type)}</strong>
        <StatusChange of={of} />
        <span>
          {words.by} <ActorName actor={of.actor} />
        </span>
        <Time at={of.at} />
        <button
          type="button"
          class="link-button no-print"
          aria-pressed={isShown}
          onClick={() => setQuery({ entry: String(of.sequence) })}
        >
          {isShown ? words.shown : words.show}
          <span class="visually-hidden"> {words.entry(of.sequence)}</span>
        </button>
        {decisionsIn(of.data).map((id) => (
          <a key={id} href={hrefOf(`/decisions/${id}`)}>
            {words.decision}
          </a>
        ))}
      </div>
      {of.erased === true && <p class="fine">{words.erased}</p>}
      <details>
        <summary>{words.details}</summary>
        <div class="entry-details">
          <div>
            <h3>
              {words.data} <code class="fine">{of.type}</code>
            </h3>
            <Value field="" value={of.data} />
            <p class="fine">{words.digest}</p>
          </div>
          <Proof of={of} />
        </div>
      </details>
    </li>
  );
};

/** The entries of a history, the oldest first. */
export const Timeline = ({ entries, shown }: { entries: readonly Entry[]; shown: number | undefined }) => (
  <ol class="timeline" aria-label={t().table}>
    {entries.map((entry) => (
      <Item key={entry.sequence} of={entry} isShown={entry.sequence === shown} />
    ))}
  </ol>
);
