import { fill } from '../../texts/fill.ts';
import type { OpenScan, ScanAnswer } from './counting.ts';
import { t } from './texts.ts';

const textOf = ({ code, reason, times }: OpenScan): string => {
  if (reason === 'repeated') return t().openScan.repeated;
  return reason === 'full'
    ? fill(t().openScan.full, { count: times })
    : fill(t().openScan.unknown, { code, count: times });
};

/** Scans that counted nothing. They stay until a person answers them. */
export const OpenScans = ({
  scans,
  onAnswer,
}: {
  scans: readonly OpenScan[];
  onAnswer: (scan: OpenScan, answer: ScanAnswer) => void;
}) => (
  <>
    {scans.map((scan) => (
      <div class="notice notice-warning station-open-scan" key={`${scan.reason} ${scan.code}`}>
        <span>{textOf(scan)}</span>
        <div class="actions">
          <button type="button" onClick={() => onAnswer(scan, scan.reason === 'repeated' ? 'count' : 'unexpected')}>
            {scan.reason === 'repeated' ? t().openScan.count : t().openScan.unexpected}
          </button>
          <button type="button" onClick={() => onAnswer(scan, 'ignore')}>
            {t().openScan.ignore}
          </button>
        </div>
      </div>
    ))}
  </>
);
