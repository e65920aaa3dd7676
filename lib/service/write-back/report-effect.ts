import type { Backend, Call } from '../../contract/port.ts';
import type { Failure } from '../../contract/result.ts';
import type { Intent } from '../../domain/write-back/intent.ts';
import type { ShopFailure } from '../../shops/platforms/platform.ts';
import type { OwnReturn, Subject } from './wanted.ts';

/*
 * What our return learns from an effect at the shop: the id of the return there, and that the shop has paid. The id is
 * known before the shop reports its change, so that the report is recognised and booked no second time.
 */

/** The operations of the service that the worker calls. */
export type WriteBackBackend = Pick<
  Backend,
  'getReturn' | 'getWithdrawal' | 'listReturns' | 'recordRefundResult' | 'updateReturn'
>;

/** How the worker reaches returns. */
export type ServiceAccess = { readonly backend: WriteBackBackend; readonly call: () => Call };

const temporary: ReadonlySet<Failure['code']> = new Set([
  'dependency_unavailable',
  'timeout',
  'rate_limited',
  'internal_error',
  'idempotency_key_in_progress',
  'version_mismatch',
]);

const toShopFailure = ({ code }: Failure): ShopFailure => ({
  kind: temporary.has(code) ? 'retryable' : 'permanent',
  reason: code,
});

type Reported = ShopFailure | undefined;

const linkReturn = async (
  service: ServiceAccess,
  intent: Intent,
  own: OwnReturn,
  externalId: string,
): Promise<Reported> => {
  const { platform } = intent.order;
  const { returnId, version, externalRefs } = own;
  if (externalRefs.some((ref) => ref.platform === platform)) return undefined;
  const patch = { returnId, externalRefs: [...externalRefs, { platform, id: externalId }] };
  const linked = await service.backend.updateReturn(patch, { ...service.call(), ifMatch: version });
  return linked.ok ? undefined : toShopFailure(linked.failure);
};

const recordPayment = async (
  service: ServiceAccess,
  { refundId = '' }: Intent,
  own: OwnReturn,
  externalId: string,
): Promise<Reported> => {
  const refund = own.refunds.find((candidate) => candidate.refundId === refundId);
  if (refund === undefined || refund.status === 'succeeded') return undefined;
  const result = { returnId: own.returnId, refundId, status: 'succeeded' as const, providerRef: externalId };
  const recorded = await service.backend.recordRefundResult(result, service.call());
  return recorded.ok ? undefined : toShopFailure(recorded.failure);
};

/** Reports an effect of the shop to our return. Returns why it could not, or undefined. A repeat changes nothing. */
export const reportEffect = async (
  service: ServiceAccess,
  intent: Intent,
  subject: Subject,
  externalId: string | undefined,
): Promise<Reported> => {
  if (externalId === undefined || subject.kind !== 'return') return undefined;
  const { own } = subject;
  if (intent.action === 'refund') return recordPayment(service, intent, own, externalId);
  return intent.action === 'approve' ? linkReturn(service, intent, own, externalId) : undefined;
};
