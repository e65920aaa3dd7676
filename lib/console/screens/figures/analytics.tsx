import type { Input, Output } from '../../../contract/contract.ts';
import { getAnalytics } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { filtersFromQuery } from '../../app/filters.ts';
import { setQuery } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Empty, Section } from '../../components/basics.tsx';
import { SelectField, TextField } from '../../components/fields.tsx';
import { Columns, TableWrap } from '../../components/page-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { fill } from '../../texts/fill.ts';
import { formatDay, formatMoney, formatNumber } from '../../texts/format.ts';
import { label } from '../../texts/labels.ts';
import { BarChart, ColumnChart } from './chart.tsx';
import { codeOf, currenciesOf, type Measure, measuresOf, periodsOf, unitNames, valueOf } from './measures.ts';
import { Freshness } from './summary.tsx';
import { t } from './texts.ts';

type Analytics = Output<'getAnalytics'>;
type Figures = NonNullable<Analytics['rest']>;

const maxBars = 20;

const measureName = (measure: Measure): string => {
  if (measure.kind === 'returns') return titles().queue;
  return measure.kind === 'units'
    ? t().units[measure.name]
    : fill(t().amountIn, { name: t()[measure.name], currency: measure.currency });
};

const shownOf = (figures: Omit<Figures, 'values'>, measure: Measure): string => {
  const value = valueOf(figures, measure);
  return measure.kind === 'money' ? formatMoney({ amount: value, currency: measure.currency }) : formatNumber(value);
};

const nameOf = (groupBy: string, value: string | null): string => {
  if (value === null) return t().without;
  if (groupBy === 'day') return formatDay(value, 'UTC');
  return groupBy === 'status' ? label('status', value) : value;
};

const Row = ({
  name,
  figures,
  currencies,
}: {
  name: string;
  figures: Omit<Figures, 'values'>;
  currencies: readonly string[];
}) => (
  <tr>
    <th scope="row">{name}</th>
    <td class="number">{formatNumber(figures.returns)}</td>
    {unitNames.map((unit) => (
      <td key={unit} class="number">
        {formatNumber(figures.units[unit])}
      </td>
    ))}
    {currencies.flatMap((currency) =>
      (['refunded', 'due'] as const).map((kind) => (
        <td key={`${kind} ${currency}`} class="number money">
          {shownOf(figures, { kind: 'money', name: kind, currency })}
        </td>
      )),
    )}
  </tr>
);

const Table = ({ of, title }: { of: Analytics; title: string }) => {
  const { items, rest, groupBy } = of;
  const currencies = currenciesOf(rest === undefined ? items : [...items, rest]);
  const columns = [
    t().group[groupBy],
    `#${titles().queue}`,
    ...unitNames.map((name) => `#${t().units[name]}`),
    ...currencies.flatMap((currency) => [
      `#${fill(t().amountIn, { name: t().refunded, currency })}`,
      `#${fill(t().amountIn, { name: t().due, currency })}`,
    ]),
  ];
  return (
    <TableWrap label={title}>
      <Columns names={columns} />
      <tbody>
        {items.map((item) => (
          <Row key={item.value ?? '(none)'} name={nameOf(groupBy, item.value)} figures={item} currencies={currencies} />
        ))}
        {rest !== undefined && (
          <Row name={fill(t().rest, { count: rest.values })} figures={rest} currencies={currencies} />
        )}
      </tbody>
    </TableWrap>
  );
};

const Chart = ({ of, measure, title }: { of: Analytics; measure: Measure; title: string }) => {
  const { groupBy, items } = of;
  const barOf = (item: Analytics['items'][number]) => ({
    name: nameOf(groupBy, item.value),
    value: valueOf(item, measure),
    shown: shownOf(item, measure),
  });
  if (groupBy === 'day' || groupBy === 'month') {
    const byPeriod = new Map(items.map((item) => [item.value, item]));
    const bars = periodsOf(groupBy, of.requestedFrom, of.requestedTo).map((period) => {
      const item = byPeriod.get(period);
      return item === undefined ? { name: nameOf(groupBy, period), value: 0 } : barOf(item);
    });
    return <ColumnChart title={title} bars={bars} />;
  }
  const bars = items.map(barOf);
  return (
    <>
      <BarChart title={title} bars={bars.slice(0, maxBars)} />
      {bars.length > maxBars && <p class="fine">{fill(t().firstBars, { count: maxBars })}</p>}
    </>
  );
};

/** The period that the API chose, for the fields of the filter. */
const periodOf = (value: Analytics | undefined): Filters =>
  value === undefined ? {} : { requestedFrom: value.requestedFrom, requestedTo: value.requestedTo };

const filterNames = ['groupBy', 'requestedFrom', 'requestedTo', 'sort', 'measure'] as const;

type Filters = Partial<Record<Exclude<(typeof filterNames)[number], 'measure'>, string>>;

const FilterBar = ({
  values,
  measures,
  chosen,
}: {
  values: Filters;
  measures: readonly Measure[];
  chosen: Measure;
}) => {
  const texts = t();
  return (
    <div class="filter-bar">
      <SelectField
        label={texts.groupBy}
        value={values.groupBy ?? 'day'}
        options={Object.entries(texts.group)}
        onChange={(groupBy) => setQuery({ groupBy })}
      />
      <TextField
        isFilter
        type="date"
        label={texts.from}
        value={values.requestedFrom ?? ''}
        onChange={(requestedFrom) => setQuery({ requestedFrom })}
      />
      <TextField
        isFilter
        type="date"
        label={texts.to}
        value={values.requestedTo ?? ''}
        onChange={(requestedTo) => setQuery({ requestedTo })}
      />
      <SelectField
        label={texts.sort}
        value={values.sort ?? ''}
        noneLabel={titles().queue}
        options={[
          ['units', texts.sortBy.units],
          ['value', texts.sortBy.value],
        ]}
        onChange={(sort) => setQuery({ sort })}
      />
      <SelectField
        label={texts.measure}
        value={codeOf(chosen)}
        options={measures.map((measure) => [codeOf(measure), measureName(measure)])}
        onChange={(measure) => setQuery({ measure })}
      />
    </div>
  );
};

/** The returns of a period by one dimension, as a chart and as a table. */
export const AnalyticsSection = () => {
  const { measure: measureCode, ...filters } = filtersFromQuery(filterNames);
  const loaded = useCall(getAnalytics, { groupBy: 'day', ...filters } as Input<'getAnalytics'>);
  const measures = measuresOf(loaded.value?.items ?? []);
  const measure = measures.find((candidate) => codeOf(candidate) === measureCode) ?? { kind: 'returns' as const };
  const texts = t();
  return (
    <Section title={texts.analytics}>
      <FilterBar values={{ ...periodOf(loaded.value), ...filters }} measures={measures} chosen={measure} />
      <div aria-busy={loaded.isLoading}>
        <Resource of={loaded}>
          {(value) => {
            const title = `${measureName(measure)}. ${fill(texts.period, { from: nameOf('day', value.requestedFrom), to: nameOf('day', value.requestedTo) })}`;
            if (value.items.length === 0) return <Empty>{texts.empty}</Empty>;
            return (
              <>
                <h3 class="more">{title}</h3>
                {(value.groupBy === 'sku' || value.groupBy === 'reason') && <p class="fine">{texts.several}</p>}
                <Chart of={value} measure={measure} title={title} />
                <Table of={value} title={title} />
                <Freshness of={value.freshness} />
              </>
            );
          }}
        </Resource>
      </div>
    </Section>
  );
};
