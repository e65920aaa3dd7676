import type { Output } from '../../../../contract/contract.ts';
import { getPolicyText } from '../../../../contract/operations.ts';
import { useCall } from '../../../api/use-call.ts';
import { filtersFromQuery } from '../../../app/filters.ts';
import { setQuery } from '../../../app/router.ts';
import { t as appTexts } from '../../../app/texts.ts';
import { Copy, Empty, Section } from '../../../components/basics.tsx';
import { SelectField, TextField } from '../../../components/fields.tsx';
import { RawText } from '../../../components/raw-text.tsx';
import { Resource } from '../../../components/resource.tsx';
import { fieldText } from '../../../forms/field-texts.ts';
import { common } from '../../../texts/common.ts';
import { language } from '../../../texts/language.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import { t } from '../texts.ts';
import { t as lifecycleTexts } from './texts.ts';

type PolicyText = Output<'getPolicyText'>;
type Format = NonNullable<PolicyText['formats']['ucp']>;
type Kind = Format['omitted'][number];

const formatNames = { schema_org: 'schema.org', google: 'Merchant API', ucp: 'UCP', shopify: 'Shopify' } as const;

/** The phases whose rules the kinds of statements come from. */
const phases: Partial<Record<Kind, string>> = { resolutions: 'resolution', right: 'floor', examination: 'approval' };

/** The goods of a document: those of a statement with the same circumstances. */
const goodsOf = ({ statements }: PolicyText, when: unknown): string | undefined =>
  statements.find((statement) => JSON.stringify(statement.when) === JSON.stringify(when))?.text;

const FormatSection = ({ name, of, format }: { name: string; of: PolicyText; format: Format }) => (
  <Section title={name}>
    {[format, ...format.exceptions].map((part, index) => (
      <div key={index}>
        {'when' in part && <p>{goodsOf(of, part.when)}</p>}
        <RawText text={JSON.stringify(part.document)} name={name} />
      </div>
    ))}
    {format.omitted.length > 0 && (
      <p class="fine">
        {t().omitted}: {format.omitted.map((kind) => policyWord('phase', phases[kind] ?? kind)).join(', ')}
      </p>
    )}
  </Section>
);

const Lines = ({ of }: { of: readonly { readonly text: string }[] }) =>
  of.length === 0 ? (
    <Empty />
  ) : (
    <ul>
      {of.map(({ text }) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );

/** What customers of a country and channel may rely on: sentences, and the documents of other formats to copy. */
export const CustomerText = () => {
  const words = t();
  const scope = filtersFromQuery(['country', 'channel', 'date', 'language']);
  const { country = '', channel = '', date = '', language: chosen = language.value.slice(0, 2) } = scope;
  const input = { ...scope, country, language: chosen as 'en' };
  const text = useCall(getPolicyText, country === '' ? undefined : input);
  return (
    <>
      <header class="screen-head">
        <h1>{words.customerText}</h1>
      </header>
      <section class="section filter-bar" aria-label={common().filters}>
        <TextField
          isFilter
          required
          label={lifecycleTexts().cases.country}
          maxLength={2}
          value={country}
          onChange={(next) => setQuery({ country: next.toUpperCase() })}
        />
        <TextField
          isFilter
          label={fieldText('channel')}
          value={channel}
          onChange={(next) => setQuery({ channel: next })}
        />
        <TextField
          isFilter
          type="date"
          label={common().placedAt}
          value={date}
          onChange={(next) => setQuery({ date: next })}
        />
        <SelectField
          label={appTexts().header.language}
          value={chosen}
          options={['en', 'pt', 'es', 'de', 'fr'].map((code) => [
            code,
            new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code,
          ])}
          onChange={(next) => setQuery({ language: next })}
        />
      </section>
      {country !== '' && (
        <Resource of={text}>
          {(value) => (
            <div class="stack">
              <Section
                title={words.customerText}
                actions={<Copy text={value.statements.map((statement) => statement.text).join('\n')} />}
              >
                <Lines of={value.statements} />
              </Section>
              <Section title={words.omitted}>
                <Lines of={value.omitted} />
              </Section>
              {Object.entries(formatNames).map(([key, name]) => {
                const format = value.formats[key as keyof typeof formatNames];
                return format === undefined ? null : <FormatSection key={key} name={name} of={value} format={format} />;
              })}
            </div>
          )}
        </Resource>
      )}
    </>
  );
};
