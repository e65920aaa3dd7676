import type { Output } from '../../../contract/contract.ts';
import { Facts, Money, Section, Time } from '../../components/basics.tsx';
import { OriginLink } from '../../components/origin-link.tsx';
import { common } from '../../texts/common.ts';
import { nameOfCode } from '../../texts/format.ts';
import { t } from './texts.ts';

type Order = Output<'getOrder'>;

const yesOrNo = (value: boolean | undefined): string | undefined =>
  value === undefined ? undefined : value ? common().yes : common().no;

const destinationOf = ({ destination }: Order): string | undefined =>
  destination === undefined ? undefined : [destination.region, destination.country].filter(Boolean).join(', ');

const Amounts = ({
  of,
}: {
  of: readonly { readonly name: string; readonly paid: Parameters<typeof Money>[0]['of'] }[];
}) => (
  <>
    {of.map(({ name, paid }) => (
      <div key={name}>
        {name}: <Money of={paid} />
      </div>
    ))}
  </>
);

/** The facts of the order, as the shop reported them. */
export const OrderFacts = ({ order }: { order: Order }) => {
  const text = t().facts;
  const { customer, payments = [], charges = [], shipping } = order;
  return (
    <Section title={text.title}>
      <Facts
        rows={[
          [text.platform, order.platform],
          [text.orderId, <span class="mono">{order.orderId}</span>],
          [text.origin, order.origin !== undefined && <OriginLink origin={order.origin} />],
          [text.placedAt, order.placedAt !== undefined && <Time at={order.placedAt} />],
          [text.customer, customer?.erased === undefined ? customer?.name : common().erased],
          [text.email, customer?.email],
          [text.customerId, customer?.id],
          [text.segment, customer?.segment],
          [text.consumer, yesOrNo(order.buyerIsConsumer)],
          [text.country, order.country !== undefined && nameOfCode('region', order.country)],
          [text.destination, destinationOf(order)],
          [text.channel, order.channel],
          [text.market, order.market],
          [text.seller, order.seller],
          [text.saleType, order.saleType?.replaceAll('_', ' ')],
          [text.gift, yesOrNo(order.isGift)],
          [text.shipping, shipping !== undefined && <Money of={shipping.paid} />],
          [
            text.charges,
            charges.length > 0 && (
              <Amounts of={charges.map(({ type, name = type.replaceAll('_', ' '), paid }) => ({ name, paid }))} />
            ),
          ],
          [
            text.payments,
            payments.length > 0 && <Amounts of={payments.map(({ method, paid }) => ({ name: method, paid }))} />,
          ],
          [text.paymentsComplete, yesOrNo(order.paymentsComplete)],
          [text.source, order.source],
          [text.observedAt, <Time at={order.observedAt} />],
          [text.version, String(order.version)],
        ].map(([name, value]) => [name, value === false ? undefined : value] as const)}
      />
    </Section>
  );
};
