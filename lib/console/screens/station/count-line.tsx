import { outstanding } from '../../api/line-units.ts';
import { fill } from '../../texts/fill.ts';
import { answerScan, type CountableLine, countOf, type Counts, totalOf } from './counting.ts';
import { OpenScans } from './open-scans.tsx';
import type { Opened } from './opened.ts';
import { t } from './texts.ts';
import { type Line, nameOf } from './units.ts';
import { counts } from './work.ts';

const Stepper = ({
  name,
  count,
  isFull,
  onAdd,
}: {
  name: string;
  count: number;
  isFull: boolean;
  onAdd: (units: number) => void;
}) => (
  <div class="station-stepper">
    <button
      type="button"
      aria-label={fill(t().receive.less, { name })}
      disabled={count === 0}
      onClick={() => onAdd(-1)}
    >
      −
    </button>
    <output aria-label={`${t().receive.counted}: ${name}`}>{count}</output>
    <button type="button" aria-label={fill(t().receive.plus, { name })} disabled={isFull} onClick={() => onAdd(1)}>
      +
    </button>
  </div>
);

/** A line with all its units is green. Once counting has begun, a line that lacks some is amber. */
const classOf = (counted: Counts, count: number, open: number): string => {
  if (open === 0 || totalOf(counted) === 0) return 'station-line';
  return count >= open ? 'station-line station-line-full' : 'station-line station-line-part';
};

/** A line of the return with its counted units, and its scans that wait for an answer. */
export const CountLine = ({
  line,
  of,
  countable,
  onChange,
}: {
  line: Line;
  of: Opened;
  countable: readonly CountableLine[];
  onChange: (counts: Counts) => void;
}) => {
  const counted = counts.of(of.value.returnId);
  const count = countOf(counted, line.lineId);
  const open = countable.find(({ lineId }) => lineId === line.lineId)?.open ?? 0;
  const name = nameOf(line, of.order);
  const { missing, received } = line.quantities;
  return (
    <li class={classOf(counted, count, open)}>
      <div>
        <strong>{name}</strong>
        <div class="fine">
          {[
            name === line.sku ? undefined : line.sku,
            fill(t().receive.open, { count: open }),
            missing > 0 && outstanding(line) < open ? fill(t().receive.alsoMissing, { count: missing }) : undefined,
            received > 0 ? fill(t().receive.received, { count: received }) : undefined,
          ]
            .filter((text) => text !== undefined)
            .join(' · ')}
        </div>
        {count > open && <div class="field-error">{t().receive.more}</div>}
      </div>
      <Stepper
        name={name}
        count={count}
        isFull={count >= open}
        onAdd={(units) => onChange({ ...counted, lines: { ...counted.lines, [line.lineId]: count + units } })}
      />
      <OpenScans
        name={name}
        scans={counted.openScans.filter(({ lineId }) => lineId === line.lineId)}
        onAnswer={(scan, answer) => onChange(answerScan(counted, countable, scan, answer))}
      />
    </li>
  );
};

/** An item that belongs to no line. */
export const CountUnexpected = ({
  code,
  quantity,
  onAdd,
}: {
  code: string;
  quantity: number;
  onAdd: (units: number) => void;
}) => (
  <li class="station-line">
    <strong class="mono">{code}</strong>
    <Stepper name={code} count={quantity} isFull={false} onAdd={onAdd} />
  </li>
);
