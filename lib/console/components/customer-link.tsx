import { customerHref } from '../app/router.ts';
import { common } from '../texts/common.ts';

type Customer = { readonly name?: string; readonly email?: string; readonly erased?: true };

type Props = {
  readonly order: { readonly platform: string; readonly orderId: string };
  readonly customer?: Customer;
  readonly customerId?: string;
  readonly target?: '_blank' | undefined;
};

/** Names the customer of an order, and leads to all their orders and returns. */
export const CustomerLink = ({ order, customer, customerId, target }: Props) => {
  if (customer?.erased === true) return <span class="fine">{common().erased}</span>;
  const name = customer?.name ?? customer?.email;
  if (name !== undefined)
    return (
      <a href={customerHref(order)} target={target}>
        {name}
      </a>
    );
  return <span class="fine">{customerId}</span>;
};
