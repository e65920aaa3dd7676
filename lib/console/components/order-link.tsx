import { orderHref } from '../app/router.ts';

/** Links to an order, with the number that the customer knows. */
export const OrderLink = ({ of }: { of: { platform: string; orderId: string; number?: string } }) => (
  <>
    <a href={orderHref(of)}>{of.number ?? of.orderId}</a> <span class="fine">{of.platform}</span>
  </>
);
