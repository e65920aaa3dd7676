import type { Result } from '../../../../runtime/result.ts';
import {
  type Prepared,
  type RemoteSnapshot,
  type ShopFailure,
  type Translator,
  type SkippedDelivery,
  toPrepared,
} from '../../platform.ts';
import type { Shop } from './api.ts';

type WithKind = { readonly kind: string };

const isSkipped = (subject: WithKind): subject is SkippedDelivery =>
  subject.kind === 'parked' || subject.kind === 'ignored';

/** The steps that prepare a platform's deliveries. */
type PrepareSteps<Subject extends WithKind> = {
  /** Reads a delivery without requests. */
  readonly translate: (topic: string, body: unknown) => Subject | SkippedDelivery;
  /** Returns undefined if there is nothing to sync. */
  readonly fetchSnapshot: (shop: Shop, subject: Subject) => Promise<Result<RemoteSnapshot | undefined, ShopFailure>>;
  /**
   * The reason for ignoring a delivery with nothing to sync.
   * @default 'nothing_returned'
   */
  readonly nothing?: string;
};

/** Prepares a delivery as most platforms do: reads its subject, then fetches the current state. */
export const prepareDelivery = async <Subject extends WithKind>(
  { translate, fetchSnapshot, nothing = 'nothing_returned' }: PrepareSteps<Subject>,
  { source, topic, body }: Parameters<Translator['prepare']>[0],
  deadline: number,
): Promise<Prepared> => {
  const subject = translate(topic, body);
  if (isSkipped(subject)) return subject;
  const snapshot = await fetchSnapshot({ source, deadline }, subject);
  if (!snapshot.ok) return toPrepared(snapshot.failure);
  return snapshot.value ?? { kind: 'ignored', reason: nothing };
};
