import type { Output } from '../../../contract/contract.ts';
import { Facts, Money, Section, Time } from '../../components/basics.tsx';
import { CustomerLink } from '../../components/customer-link.tsx';
import { OriginLink } from '../../components/origin-link.tsx';
import { common } from '../../texts/common.ts';
import { nameOfCode } from '../../texts/format.ts';
import { label } from '../../texts/labels.ts';
import { t } from './texts.ts';
import { fieldText } from '../../forms/field-texts.ts';

type Order = Output<'getOrder'>;

const yesOrNo = (value: boolean | undefined): string | undefined =>
  value === undefined ? undefined : value ? common().yes : common().no;

const destinationOf = ({ destination }: Order): string | undefined =>
  destination === undefined ? undefined : [destination.region, destination.country].filter(Boolean).join(', ');

type Named = { readonly name: string; readonly paid: { readonly amount: number } };

/** Shows amounts in sums by name. */
const amountsIn = (currency: string) => (all: readonly Named[]) =>
  all.length > 0 &&
  Array.from(
    Map.groupBy(all, ({ name }) => name),
    ([name, parts]) => (
      <div key={name}>
        {name}: <Money of={{ currency, amount: parts.reduce((total, { paid }) => total + paid.amount, 0) }} />
      </div>
    ),
  );

/** The facts of the order, as the shop reported them. */
export const OrderFacts = ({ order }: { order: Order }) => {
  const text = t().facts;
  const amounts = amountsIn(order.currency);
  const { customer, payments = [], charges = [], promotions = [], lines, shipping } = order;
  return (
    <Section title={text.title}>
      <Facts
        rows={[
          [common().platform, order.platform],
          [text.orderId, <span class="mono">{order.orderId}</span>],
          [text.origin, order.origin !== undefined && <OriginLink origin={order.origin} />],
          [common().placedAt, order.placedAt !== undefined && <Time at={order.placedAt} />],
          [label('party', 'customer'), customer && <CustomerLink order={order} customer={customer} />],
          [common().email, customer?.email],
          [common().customerId, customer?.id],
          [common().segment, customer?.segment],
          [text.consumer, yesOrNo(order.buyerIsConsumer)],
          [text.country, order.country !== undefined && nameOfCode('region', order.country)],
          [text.destination, destinationOf(order)],
          [fieldText('channel'), order.channel],
          [text.market, order.market],
          [text.seller, order.seller],
          [text.saleType, order.saleType?.replaceAll('_', ' ')],
          [text.gift, yesOrNo(order.isGift)],
          [text.shipping, shipping !== undefined && <Money of={shipping.paid} />],
          [
            fieldText('charges'),
            amounts(charges.map(({ type, name = type.replaceAll('_', ' '), paid }) => ({ name, paid }))),
          ],
          [
            text.taxes,
            amounts(
              [...lines, ...charges, { ...shipping }].flatMap(({ taxes = [] }) =>
                taxes.map(({ rate, amount }) => ({ name: rate === undefined ? '–' : `${rate} %`, paid: amount })),
              ),
            ),
          ],
          [
            text.promotions,
            amounts(
              promotions.flatMap(({ id, name = id, lines: of }) =>
                of.map(({ discount }) => ({ name, paid: discount })),
              ),
            ),
          ],
          [fieldText('tenders'), amounts(payments.map(({ method, paid }) => ({ name: method, paid })))],
          [text.paymentsComplete, yesOrNo(order.paymentsComplete)],
          [text.source, order.source],
          [text.observedAt, <Time at={order.observedAt} />],
          [text.version, String(order.version)],
        ]}
      />
    </Section>
  );
};
