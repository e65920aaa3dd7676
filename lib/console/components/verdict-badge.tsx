import { policyWord } from '../texts/policy-words.ts';
import { Badge, type Tone } from './basics.tsx';

const tones = { approved: 'good', rejected: 'bad', needs_review: 'warning' } as const satisfies Record<string, Tone>;

/** The verdict of a policy on a whole return. */
export const VerdictBadge = ({ of }: { of: keyof typeof tones }) => (
  <Badge tone={tones[of]}>{policyWord('verdict', of)}</Badge>
);
