import { fail, ok, type Result } from '../../../../runtime/result.ts';
import type { JsonObject } from '../../../../runtime/json.ts';
import type { Sent } from '../../effect.ts';
import type { ShopFailure } from '../../platform.ts';
import type { Shop } from '../../shared/http/api.ts';
import { callApi } from '../api.ts';
import { refundFields, refundStateOf, type RefundStateNode } from './state.ts';

/*
 * The mutations of write-back. Each asks for the codes of its errors, and never for their messages: those may quote the
 * order. https://shopify.dev/docs/api/admin-graphql/2026-10/mutations
 */
const returned = '{ return { id status } userErrors { code } }';

const documents = {
  returnApproveRequest: `mutation Approve($input: ReturnApproveRequestInput!) { returnApproveRequest(input: $input) ${returned} }`,
  returnDeclineRequest: `mutation Decline($input: ReturnDeclineRequestInput!) { returnDeclineRequest(input: $input) ${returned} }`,
  returnCancel: `mutation Cancel($id: ID!) { returnCancel(id: $id, notifyCustomer: false) ${returned} }`,
  returnClose: `mutation Close($id: ID!) { returnClose(id: $id) ${returned} }`,
  returnCreate: `mutation Create($input: ReturnInput!) { returnCreate(returnInput: $input) ${returned} }`,
  returnProcess: `mutation Process($input: ReturnProcessInput!) {
    returnProcess(input: $input) {
      return { id status refunds(first: 10) { nodes { ${refundFields} } } }
      userErrors { code }
    }
  }`,
  reverseDeliveryCreateWithShipping: `mutation Ship(
    $id: ID!, $lines: [ReverseDeliveryLineItemInput!]!, $tracking: ReverseDeliveryTrackingInput!
  ) {
    reverseDeliveryCreateWithShipping(
      reverseFulfillmentOrderId: $id, reverseDeliveryLineItems: $lines, trackingInput: $tracking, notifyCustomer: false
    ) { reverseDelivery { id } userErrors { code } }
  }`,
  refundCreate: `mutation Refund($input: RefundInput!, $key: String!) {
    refundCreate(input: $input) @idempotent(key: $key) { refund { ${refundFields} } userErrors { field } }
  }`,
} as const;

/** A mutation with its variables. */
export type Mutation = {
  readonly name: keyof typeof documents;
  readonly variables: JsonObject;
  /** For a refund by `returnProcess`: the refunds of the return before. */
  readonly refundsBefore?: readonly string[];
};

type Payload = {
  readonly return?: {
    readonly id: string;
    readonly refunds?: { readonly nodes: readonly RefundStateNode[] };
  } | null;
  readonly refund?: RefundStateNode | null;
  readonly userErrors: readonly { readonly code?: string | null }[];
};

/** The refund came, but its money has not moved yet, or its answer does not show it: the state is read again. */
const unfinished = (reason: string): Sent => fail({ kind: 'retryable', reason, mayHaveEffect: true });

/** Codes of an error after which the effect may stand. */
const uncertain: ReadonlySet<string> = new Set(['INTERNAL_ERROR', 'NOTIFICATION_FAILED']);

const readErrors = ({ userErrors: [error] }: Payload): Result<undefined, ShopFailure> => {
  if (error === undefined) return ok(undefined);
  const code = typeof error.code === 'string' && /^[A-Z_]{1,60}$/.test(error.code) ? error.code : 'UNKNOWN';
  return uncertain.has(code)
    ? fail({ kind: 'retryable', reason: 'shop_error', mayHaveEffect: true })
    : fail({ kind: 'permanent', reason: `shop_refused:${code}` });
};

/** Returns the id of a refund whose money has moved, as the translator reports it. */
const readRefund = (node: RefundStateNode | null | undefined): Sent => {
  if (node === null || node === undefined) return unfinished('refund_not_shown');
  const { id, status } = refundStateOf(node);
  return status === 'paid' ? ok({ externalId: id }) : unfinished('refund_unfinished');
};

const readPayload = ({ name, refundsBefore }: Mutation, payload: Payload): Sent => {
  const errors = readErrors(payload);
  if (!errors.ok) return errors;
  if (name === 'refundCreate') return readRefund(payload.refund);
  if (refundsBefore !== undefined) {
    const added = (payload.return?.refunds?.nodes ?? []).filter(({ id }) => !refundsBefore.includes(id));
    return readRefund(added.length === 1 ? added[0] : undefined);
  }
  return ok(payload.return === null || payload.return === undefined ? {} : { externalId: payload.return.id });
};

/** Sends a mutation once. */
export const mutate = async (shop: Shop, mutation: Mutation): Promise<Sent> => {
  const { name, variables } = mutation;
  const answer = await callApi<Partial<Record<string, Payload | null>>>(shop, documents[name], variables, {
    once: true,
  });
  if (!answer.ok) {
    // The request with our key is still at work.
    const isAtWork = answer.failure.reason.endsWith(':IDEMPOTENCY_CONCURRENT_REQUEST');
    return isAtWork ? unfinished('shop_works') : answer;
  }
  const payload = answer.value.data[name];
  if (payload === null || payload === undefined) return fail({ kind: 'retryable', reason: 'shop_denied_access' });
  return readPayload(mutation, payload);
};
