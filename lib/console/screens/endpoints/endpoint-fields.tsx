import patterns from '#contract/console-events.json' with { type: 'json' };
import type { Input } from '../../../contract/contract.ts';
import { CheckField, TextField } from '../../components/fields.tsx';
import { t } from './texts.ts';

type Pattern = NonNullable<Input<'createWebhookEndpoint'>['eventTypes']>[number];

/** What a person enters about an endpoint. */
export type EndpointDraft = {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly Pattern[];
};

export const newDraft: EndpointDraft = { url: '', description: '', eventTypes: ['*'] };

const groupOf = (pattern: string): string => pattern.slice(0, pattern.indexOf('.'));

const Patterns = ({ chosen, onChange }: { chosen: readonly Pattern[]; onChange: (chosen: Pattern[]) => void }) => {
  const isCovered = (pattern: Pattern) =>
    !pattern.endsWith('.*') && chosen.some((known) => known === `${groupOf(pattern)}.*`);
  return (
    <div class="check-list" tabIndex={0} role="group" aria-label={t().someTypes}>
      {(patterns as readonly Pattern[]).map((pattern) => (
        <CheckField
          key={pattern}
          label={<code>{pattern}</code>}
          checked={chosen.includes(pattern) || isCovered(pattern)}
          isDisabled={isCovered(pattern)}
          onChange={(isChecked) => {
            const others = chosen.filter((known) => known !== pattern);
            onChange(isChecked ? [...others, pattern] : others);
          }}
        />
      ))}
    </div>
  );
};

/** The fields of an endpoint. */
export const EndpointFields = ({
  draft,
  onChange,
}: {
  draft: EndpointDraft;
  onChange: (draft: EndpointDraft) => void;
}) => {
  const isAll = draft.eventTypes.some((pattern) => pattern === '*');
  const texts = t();
  return (
    <>
      <TextField
        label={texts.url}
        hint={texts.urlHint}
        type="url"
        value={draft.url}
        maxLength={2000}
        onChange={(url) => onChange({ ...draft, url })}
        required
      />
      <TextField
        label={texts.description}
        value={draft.description}
        maxLength={500}
        onChange={(description) => onChange({ ...draft, description })}
      />
      <fieldset>
        <legend>{texts.eventTypes}</legend>
        <CheckField
          label={texts.allTypes}
          checked={isAll}
          onChange={(isChecked) => onChange({ ...draft, eventTypes: isChecked ? ['*'] : [] })}
        />
        {!isAll && <Patterns chosen={draft.eventTypes} onChange={(eventTypes) => onChange({ ...draft, eventTypes })} />}
      </fieldset>
    </>
  );
};
