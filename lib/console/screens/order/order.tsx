import { getOrder, getReturnable, listReturns } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { query } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { useTitle } from '../../app/title.ts';
import { Empty, Section } from '../../components/basics.tsx';
import { Resource } from '../../components/resource.tsx';
import { ReturnList } from '../../components/return-list.tsx';
import { fill } from '../../texts/fill.ts';
import { Customer } from './customer.tsx';
import { OrderFacts } from './facts.tsx';
import { Ledger } from './ledger.tsx';
import { t } from './texts.ts';

type Reference = { readonly platform: string; readonly orderId: string };

/** The most returns that the screen lists. More are rare: an order has few units. */
const maxReturns = 50;

const Returns = ({ of }: { of: Reference }) => {
  const returns = useCall(listReturns, { ...of, limit: maxReturns });
  const text = t().returns;
  return (
    <Section title={titles().queue}>
      <Resource of={returns}>
        {({ items }) => (items.length === 0 ? <Empty>{text.none}</Empty> : <ReturnList items={items} />)}
      </Resource>
    </Section>
  );
};

const CustomerOf = ({ of }: { of: Reference }) => (
  <Resource of={useCall(getOrder, of)}>{(order) => <Customer order={order} />}</Resource>
);

const Order = ({ of }: { of: Reference }) => {
  const order = useCall(getOrder, of);
  const returnable = useCall(getReturnable, of);
  const title = fill(t().title, { number: order.value?.number ?? of.orderId });
  useTitle(() => title);
  return (
    <>
      <div class="screen-head">
        <h1>{title}</h1>
      </div>
      <Resource of={order}>
        {(facts) => (
          <div class="columns">
            <div class="stack">
              {facts.completeness === 'partial' && (
                <div class="notice notice-warning">
                  <p>{t().partial}</p>
                  <ul>
                    {facts.discrepancies?.map(({ code, detail }) => (
                      <li key={`${code} ${detail ?? ''}`}>{detail ?? code}</li>
                    ))}
                  </ul>
                </div>
              )}
              <Resource of={returnable}>{(value) => <Ledger returnable={value} order={facts} />}</Resource>
              <Returns of={of} />
            </div>
            <OrderFacts order={facts} />
          </div>
        )}
      </Resource>
    </>
  );
};

/** An order: its facts, its units over all returns, and these returns. Or its customer. */
export const Screen = ({ id }: ScreenProps) => {
  const platform = query.value.get('platform') ?? '';
  const orderId = query.value.get('orderId') ?? '';
  if (platform === '' || orderId === '')
    return (
      <>
        <div class="screen-head">
          <h1>{fill(t().title, { number: '' })}</h1>
        </div>
        <p class="empty">{t().missing}</p>
      </>
    );
  const Part = id === 'customer' ? CustomerOf : Order;
  return <Part key={`${platform} ${orderId}`} of={{ platform, orderId }} />;
};
