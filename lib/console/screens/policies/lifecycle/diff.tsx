import type { Output } from '../../../../contract/contract.ts';
import { diffVersions } from '../../../../contract/operations.ts';
import { isRecord } from '../../../api/record.ts';
import { useCall } from '../../../api/use-call.ts';
import { query, setQuery } from '../../../app/router.ts';
import { Badge, Empty, type Tone } from '../../../components/basics.tsx';
import { Columns, TableWrap } from '../../../components/page-table.tsx';
import { Resource } from '../../../components/resource.tsx';
import { common } from '../../../texts/common.ts';
import { conditionWords, valueWords } from '../../../texts/fact-words.ts';
import { fill } from '../../../texts/fill.ts';
import { effectWords } from '../editor/effect-words.ts';
import { SelectInput } from '../editor/inputs.tsx';
import { t as policyTexts } from '../texts.ts';
import { fieldWords } from './field-words.ts';
import { t } from './texts.ts';

type Change = Output<'diffVersions'>['changes'][number];

const tones: Readonly<Record<Change['change'], Tone>> = { added: 'good', removed: 'bad', changed: 'active' };

const isCondition = (value: unknown): boolean =>
  isRecord(value) && ['and', 'or', 'not', 'use', 'fact'].some((name) => Object.hasOwn(value, name));

/** A value of a document in words: a rule by its effect, a condition as a sentence. */
export const DocumentValue = ({ value }: { value: unknown }) => {
  if (value === undefined) return <>–</>;
  if (isCondition(value)) return <>{conditionWords(value)}</>;
  if (isRecord(value) && typeof value['phase'] === 'string')
    return (
      <>
        {effectWords(value)}
        {value['when'] !== undefined && <span class="fine"> · {conditionWords(value['when'])}</span>}
      </>
    );
  const isPlain = !isRecord(value) && !(Array.isArray(value) && value.some(isRecord));
  return isPlain ? <>{valueWords(value)}</> : <code class="wrap">{JSON.stringify(value)}</code>;
};

const Changes = ({ title, changes }: { title: string; changes: readonly Change[] }) => {
  const words = t().diff;
  return (
    <section class="section">
      <header class="section-head">
        <h2>{title}</h2>
      </header>
      <TableWrap label={title} tableClass="diff">
        <Columns names={[common().field, common().before, common().after]} />
        <tbody>
          {changes.map(({ path, change, before, after }) => (
            <tr key={path}>
              <th scope="row">
                {fieldWords(path)} <Badge tone={tones[change]}>{words[change]}</Badge>
              </th>
              <td>
                <DocumentValue value={before} />
              </td>
              <td>
                <DocumentValue value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </TableWrap>
    </section>
  );
};

const Differences = ({ policyId, from, to }: { policyId: string; from: number; to: number }) => {
  const words = t().diff;
  const diff = useCall(diffVersions, { policyId, from, to });
  return (
    <Resource of={diff}>
      {({ changes }) => {
        if (changes.length === 0) return <Empty>{words.same}</Empty>;
        const groups = Map.groupBy(changes, ({ rule }) => rule ?? '');
        return (
          <div class="stack">
            {[...groups].map(([rule, inside]) => (
              <Changes
                key={rule}
                title={rule === '' ? words.document : fill(words.rule, { id: rule })}
                changes={inside}
              />
            ))}
          </div>
        );
      }}
    </Resource>
  );
};

const numberOf = (name: string, otherwise: number): number => Number(query.value.get(name) ?? otherwise);

/** The differences between two versions, which the query of the address chooses. */
export const Diff = ({
  policyId,
  latest,
  inForce,
}: {
  policyId: string;
  latest: number;
  inForce: number | undefined;
}) => {
  const words = t().diff;
  if (latest < 2) return <Empty>{words.one}</Empty>;
  const to = numberOf('to', latest);
  const from = numberOf('from', inForce !== undefined && inForce !== to ? inForce : Math.max(1, to - 1));
  const choices = Array.from({ length: latest }, (_, index): readonly [string, string] => [
    String(latest - index),
    fill(policyTexts().version, { number: latest - index }),
  ]);
  return (
    <>
      <div class="pair narrow">
        <SelectInput
          label={words.from}
          value={String(from)}
          choices={choices}
          onChange={(next) => setQuery({ from: next })}
        />
        <SelectInput
          label={words.to}
          value={String(to)}
          choices={choices}
          onChange={(next) => setQuery({ to: next })}
        />
      </div>
      <Differences policyId={policyId} from={from} to={to} />
    </>
  );
};
