import { useState } from 'preact/hooks';
import type { Input } from '../../../contract/contract.ts';
import { receive } from '../../../contract/operations.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { CountLine, CountUnexpected } from './count-line.tsx';
import { addUnexpected, answerScan, countOf, type Counts, noCounts, totalOf } from './counting.ts';
import { say } from './messages.ts';
import { OpenScans } from './open-scans.tsx';
import { type Opened, reload } from './opened.ts';
import { Preview } from './preview.tsx';
import { receiptBlocker } from './scan.ts';
import { t } from './texts.ts';
import { countableLines, isSameNumber, openParcels } from './units.ts';
import { useStationCommand } from './use-station-command.ts';
import { counts, recordDone } from './work.ts';
import { fieldText } from '../../forms/field-texts.ts';

const bodyOf = (returnId: string, counted: Counts, parcelId: string): Input<'receive'> => {
  const lines = Object.entries(counted.lines)
    .filter(([, quantity]) => quantity > 0)
    .map(([lineId, quantity]) => ({ lineId, quantity }));
  const unexpected = counted.unexpected.map(({ code, quantity }) => ({ sku: code.slice(0, 200), quantity }));
  return {
    returnId,
    ...(parcelId !== '' && { parcelId }),
    ...(lines.length > 0 && { lines }),
    ...(unexpected.length > 0 && { unexpected }),
  };
};

/** Returns the parcel that probably arrived: the scanned one, or the only one. */
const likelyParcel = ({ value, code }: Opened): string => {
  const parcels = openParcels(value);
  const scanned = parcels.find(({ trackingNumber }) => isSameNumber(trackingNumber, code));
  return (scanned ?? (parcels.length === 1 ? parcels[0] : undefined))?.parcelId ?? '';
};

const ParcelChoice = ({ of, chosen, onChoose }: { of: Opened; chosen: string; onChoose: (id: string) => void }) => {
  const parcels = openParcels(of.value);
  if (parcels.length === 0) return null;
  return (
    <div class="field">
      <label for="station-parcel">{fieldText('parcels')}</label>
      <select
        id="station-parcel"
        value={chosen}
        aria-describedby="station-parcel-hint"
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        <option value="">{t().receive.noParcel}</option>
        {parcels.map(({ parcelId, carrier, trackingNumber }) => (
          <option key={parcelId} value={parcelId}>
            {[carrier, trackingNumber].filter(Boolean).join(' ') || parcelId}
          </option>
        ))}
      </select>
      <span class="field-hint" id="station-parcel-hint">
        {t().receive.parcelHint}
      </span>
    </div>
  );
};

/** The first step: the counted units, their dry run, and the receipt. */
export const ReceiveStep = ({ of, onDone }: { of: Opened; onDone: () => void }) => {
  const { returnId, rmaNumber, lines } = of.value;
  const counted = counts.of(returnId);
  const [parcelId, setParcelId] = useState(likelyParcel(of));
  const total = totalOf(counted);
  // A double scan is no unit. Any other scan that counted nothing may be one.
  const isUnanswered = counted.openScans.some(({ reason }) => reason !== 'repeated');
  const blocker = receiptBlocker(of);
  const isReady = total > 0 && !isUnanswered && blocker === undefined;
  const command = useStationCommand(receive, of, isReady ? bodyOf(returnId, counted, parcelId) : undefined);
  const countable = countableLines(of.value, of.order);
  const change = (next: Counts) => counts.set(returnId, next);
  const send = async () => {
    if ((await command.send())?.ok !== true) return;
    const unexpected = counted.unexpected.reduce((sum, { quantity }) => sum + quantity, 0);
    const text = t().receive;
    const summary =
      unexpected === 0
        ? fill(text.done, { count: total })
        : fill(text.doneUnexpected, { count: total - unexpected, unexpected });
    recordDone(returnId, rmaNumber, summary);
    say('good', summary);
    counts.set(returnId, noCounts);
    await reload(returnId);
    onDone();
  };
  if (blocker !== undefined)
    return <p class="notice notice-warning">{fill(t().message.cannotReceive, { why: blocker })}</p>;
  return (
    <div class="stack">
      <ul class="station-lines" aria-label={t().receive.caption}>
        {lines.map((line) => (
          <CountLine key={line.lineId} line={line} of={of} countable={countable} onChange={change} />
        ))}
      </ul>
      <OpenScans
        scans={counted.openScans.filter(({ lineId }) => lineId === undefined)}
        onAnswer={(scan, answer) => change(answerScan(counted, countable, scan, answer))}
      />
      {countable.some((line) => countOf(counted, line.lineId) < line.open) && lines.length > 0 && (
        <button
          type="button"
          class="station-start"
          onClick={() =>
            change({ ...counted, lines: Object.fromEntries(countable.map(({ lineId, open }) => [lineId, open])) })
          }
        >
          {t().receive.all}
        </button>
      )}
      {counted.unexpected.length > 0 && (
        <section class="stack station-tight">
          <h3>{fieldText('unexpected')}</h3>
          <ul class="station-lines">
            {counted.unexpected.map(({ code, quantity }) => (
              <CountUnexpected
                key={code}
                code={code}
                quantity={quantity}
                onAdd={(more) => change(addUnexpected(counted, code, more))}
              />
            ))}
          </ul>
        </section>
      )}
      <ParcelChoice of={of} chosen={parcelId} onChoose={setParcelId} />
      {command.isChanged && (
        <p class="notice notice-warning" role="alert">
          {common().conflict}
        </p>
      )}
      {command.problem !== undefined && <ProblemNotice problem={command.problem} />}
      {command.previewed !== undefined && <Preview of={of} after={command.previewed} />}
      {total === 0 && <p class="fine">{t().receive.nothing}</p>}
      {isUnanswered && <p class="fine">{t().receive.unanswered}</p>}
      <div class="actions">
        <button
          type="button"
          class="primary station-large"
          disabled={!isReady}
          aria-disabled={command.isSending}
          onClick={() => void send()}
        >
          {fill(t().receive.send, { count: total })}
        </button>
      </div>
    </div>
  );
};
