import { fill } from '../../texts/fill.ts';
import type { OpenScan, ScanAnswer } from './counting.ts';
import { t } from './texts.ts';

/** Scans that counted nothing. They stay until a person answers them. */
export const OpenScans = ({
  scans,
  name,
  onAnswer,
}: {
  scans: readonly OpenScan[];
  /** The title of the line; absent for unknown codes. */
  name?: string;
  onAnswer: (scan: OpenScan, answer: ScanAnswer) => void;
}) => (
  <>
    {scans.map((scan) => (
      <div class="notice notice-warning station-open-scan" key={`${scan.reason} ${scan.code}`}>
        <span>{fill(t().openScan[scan.reason], { name: name ?? scan.code, count: scan.times })}</span>
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
