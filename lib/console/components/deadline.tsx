import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { formatDistance } from '../texts/format.ts';
import { Badge } from './basics.tsx';

const soonMs = 2 * 86_400_000;

/** How far a deadline is: red when it has passed, yellow for two days before. */
export const Deadline = ({ at, now = Date.now() }: { at: string; now?: number }) => {
  const left = Date.parse(at) - now;
  const distance = formatDistance(at, now);
  return (
    <time dateTime={at} title={at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}>
      <Badge tone={left < 0 ? 'bad' : left < soonMs ? 'warning' : 'neutral'}>
        {left < 0 ? fill(common().overdueSince, { distance }) : distance}
      </Badge>
    </time>
  );
};
