import { getSummary } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { titles } from '../../app/texts.ts';
import { common } from '../../texts/common.ts';
import { AnalyticsSection } from './analytics.tsx';
import { Exports } from './exports.tsx';
import { SummarySection } from './summary.tsx';

/** The figures of all returns: now, of a period, and as files. */
export const Screen = () => {
  const summary = useCall(getSummary, {});
  return (
    <>
      <header class="screen-head">
        <h1>{titles().figures}</h1>
        <button type="button" onClick={summary.reload}>
          {common().reload}
        </button>
      </header>
      <div class="stack">
        <SummarySection of={summary} />
        <AnalyticsSection />
        <Exports />
      </div>
    </>
  );
};
