import { common } from '../../../texts/common.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import { isRecord } from '../../../api/record.ts';
import { listOf, type Members, textOf, withField, withItem, withoutItem } from '../document/document.ts';
import { NumberInput, SelectInput, TextInput } from './inputs.tsx';
import { t } from './texts.ts';

const anchors = ['delivered', 'last_item_delivered', 'shipped', 'placed'];

const AnchorInput = ({
  label,
  value,
  isOptional = false,
  onChange,
}: {
  label: string;
  value: string;
  isOptional?: boolean;
  onChange: (value: string) => void;
}) => (
  <SelectInput
    label={label}
    value={value}
    isOptional={isOptional}
    choices={anchors.map((code) => [code, policyWord('value', code)])}
    onChange={onChange}
  />
);

const Seasons = ({ value, onChange }: { value: unknown; onChange: (value: unknown) => void }) => {
  const words = t();
  const seasons = listOf(value);
  const change = (next: readonly unknown[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <fieldset>
      <legend>{words.seasonal}</legend>
      {seasons.map((item, index) => {
        const season = isRecord(item) ? item : {};
        const set = (name: string) => (text: string) => change(withItem(seasons, index, { ...season, [name]: text }));
        return (
          <div class="pair" key={index}>
            <TextInput label={words.seasonFrom} value={textOf(season['from'])} onChange={set('from')} />
            <TextInput label={words.seasonTo} value={textOf(season['to'])} onChange={set('to')} />
            <TextInput label={words.seasonUntil} value={textOf(season['until'])} onChange={set('until')} />
            <button type="button" class="link-button" onClick={() => change(withoutItem(seasons, index))}>
              {common().remove}
            </button>
          </div>
        );
      })}
      <button
        type="button"
        onClick={() => change([...seasons, { from: '2026-11-01', to: '2026-12-24', until: '2027-01-31' }])}
      >
        + {words.addSeason}
      </button>
    </fieldset>
  );
};

/** The terms of a return window. */
export const WindowInput = ({ value, onChange }: { value: Members; onChange: (value: Members) => void }) => {
  const words = t();
  const set = (name: string) => (next: unknown) => onChange(withField(value, name, next));
  const fallback = isRecord(value['fallback']) ? value['fallback'] : undefined;
  return (
    <>
      <div class="pair">
        <AnchorInput label={policyWord('setting', 'anchor')} value={textOf(value['anchor'])} onChange={set('anchor')} />
        <NumberInput label={words.days} value={value['days']} onChange={set('days')} />
      </div>
      <div class="pair">
        <NumberInput label={words.grace} value={value['graceDays']} onChange={set('graceDays')} />
        <SelectInput
          label={words.roll}
          value={textOf(value['roll'])}
          isOptional
          choices={[
            ['none', words.rollNone],
            ['next_working_day', words.rollNext],
          ]}
          onChange={(roll) => set('roll')(roll === '' ? undefined : roll)}
        />
      </div>
      <div class="pair">
        <AnchorInput
          label={words.fallback}
          isOptional
          value={textOf(fallback?.['anchor'])}
          onChange={(anchor) =>
            set('fallback')(anchor === '' ? undefined : { anchor, days: fallback?.['days'] ?? value['days'] })
          }
        />
        {fallback !== undefined && (
          <NumberInput
            label={words.days}
            value={fallback['days']}
            onChange={(days) => set('fallback')(withField(fallback, 'days', days))}
          />
        )}
      </div>
      <Seasons value={value['seasonal']} onChange={set('seasonal')} />
    </>
  );
};
