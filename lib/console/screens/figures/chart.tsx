import { formatNumber } from '../../texts/format.ts';

/** A value of a chart with its words. */
export type Bar = { readonly name: string; readonly value: number; readonly shown?: string };

const rowHeight = 36;
const maxNameLength = 40;

const shorten = (name: string): string => (name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name);

const shownOf = ({ value, shown }: Bar): string => shown ?? formatNumber(value);

/** The table below a chart has the same values, so a screen reader gets one sentence here. */
const sentenceOf = (title: string, bars: readonly Bar[]): string =>
  `${title}. ${bars
    .slice(0, 5)
    .map((bar) => `${bar.name}: ${shownOf(bar)}`)
    .join(', ')}${bars.length > 5 ? ', …' : ''}`;

/** Bars from left to right, each below its name and its value. Texts keep their size on small screens. */
export const BarChart = ({ title, bars }: { title: string; bars: readonly Bar[] }) => {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <svg class="chart" role="img" aria-label={sentenceOf(title, bars)} width="100%" height={bars.length * rowHeight}>
      {bars.map((bar, index) => {
        const top = index * rowHeight;
        const share = (Math.max(0, bar.value) / largest) * 100;
        return (
          <g key={bar.name}>
            <text class="soft" x="0" y={top + 14}>
              {shorten(bar.name)}
            </text>
            <text x="100%" y={top + 14} text-anchor="end">
              {shownOf(bar)}
            </text>
            <rect class="back" x="0" y={top + 19} width="100%" height="9" rx="2" />
            <rect class="bar" x="0" y={top + 19} width={`${share}%`} height="9" rx="2" />
          </g>
        );
      })}
    </svg>
  );
};

const columnsHeight = 150;
const labelHeight = 20;

/** Columns over time, from left to right. */
export const ColumnChart = ({ title, bars }: { title: string; bars: readonly Bar[] }) => {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  const top = bars.find(({ value }) => value === largest);
  const step = 100 / Math.max(1, bars.length);
  const [first] = bars;
  const last = bars.at(-1);
  return (
    <svg
      class="chart"
      role="img"
      aria-label={sentenceOf(title, bars)}
      width="100%"
      height={columnsHeight + labelHeight * 2}
    >
      {top !== undefined && (
        <text class="soft" x="0" y="14">
          {`${top.name}: ${shownOf(top)}`}
        </text>
      )}
      {bars.map((bar, index) => {
        const height = (Math.max(0, bar.value) / largest) * columnsHeight;
        return (
          <rect
            key={bar.name}
            class="bar"
            x={`${index * step + step * 0.1}%`}
            y={labelHeight + columnsHeight - height}
            width={`${Math.min(step * 0.8, 8)}%`}
            height={height}
          >
            <title>{`${bar.name}: ${shownOf(bar)}`}</title>
          </rect>
        );
      })}
      <line x1="0" x2="100%" y1={labelHeight + columnsHeight} y2={labelHeight + columnsHeight} />
      <text class="soft" x="0" y={columnsHeight + labelHeight * 2 - 4}>
        {first?.name}
      </text>
      {bars.length > 1 && (
        <text class="soft" x="100%" y={columnsHeight + labelHeight * 2 - 4} text-anchor="end">
          {last?.name}
        </text>
      )}
    </svg>
  );
};
