import { orderHref } from '../../app/router.ts';
import { Badge, Money, Section, Time, type Tone } from '../../components/basics.tsx';
import { CheckedLink } from '../../components/checked-link.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { codeText } from '../../forms/value-texts.ts';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { formatMoney } from '../../texts/format.ts';
import { label } from '../../texts/labels.ts';
import type { Return } from './commands.ts';
import { useScreen } from './context.ts';
import { PartAction } from './part-action.tsx';
import { exchangeResults, prefillOfParcel } from './prefill.ts';
import { t } from './texts.ts';

type Parcel = Return['parcels'][number];
type Exchange = Return['exchanges'][number];

const parcelTones: Readonly<Record<Parcel['status'], Tone>> = {
  label_created: 'neutral',
  in_transit: 'active',
  delivered: 'good',
  exception: 'bad',
  lost: 'bad',
  cancelled: 'neutral',
};

const Contents = ({ of }: { of: Parcel['contents'] }) => {
  const { titles } = useScreen();
  return <>{of.map(({ lineId, quantity }) => `${quantity} × ${titles[lineId] ?? lineId}`).join(', ') || '–'}</>;
};

const ParcelItem = ({ parcel, place }: { parcel: Parcel; place: number }) => (
  <li class="part">
    <div class="row">
      <strong>{fill(t().parcel, { place })}</strong>
      <Badge tone={parcelTones[parcel.status]}>{codeText('status', parcel.status)}</Badge>
      <span class="fine">{codeText('direction', parcel.direction)}</span>
      <PartAction
        name="updateParcel"
        text={t().update}
        about={fill(t().parcel, { place })}
        command={{ input: { parcelId: parcel.parcelId }, initial: prefillOfParcel(parcel) }}
      />
    </div>
    <div>
      {[parcel.carrier, parcel.trackingNumber].filter((text) => text !== undefined).join(' · ')}{' '}
      <CheckedLink url={parcel.trackingUrl}>{t().track}</CheckedLink>{' '}
      <CheckedLink url={parcel.labelUrl}>{t().label}</CheckedLink>
      {parcel.erased === true && <em>{common().erased}</em>}
    </div>
    <div>
      {fieldText('contents')}: <Contents of={parcel.contents} />
    </div>
    <div class="fine">
      {parcel.events.map(({ status, at }) => (
        <span key={`${status} ${at}`} class="block">
          {codeText('status', status)} <Time at={at} />
        </span>
      ))}
    </div>
  </li>
);

/** The parcels of both directions. */
export const Parcels = () => {
  const { value } = useScreen();
  return (
    <Section title={t().parcels}>
      {value.parcels.length === 0 && <p class="fine">{t().noParcel}</p>}
      <ul class="plain">
        {value.parcels.map((parcel, index) => (
          <ParcelItem key={parcel.parcelId} parcel={parcel} place={index + 1} />
        ))}
      </ul>
    </Section>
  );
};

const Balance = ({ of }: { of: NonNullable<Exchange['balance']> }) => (
  <>
    {fieldText('balance')} {formatMoney({ ...of, amount: Math.abs(of.amount) })}
    {of.amount !== 0 && ` (${of.amount > 0 ? t().customerPays : t().shopPays})`}
  </>
);

const ExchangeItem = ({ exchange }: { exchange: Exchange }) => {
  const { titles } = useScreen();
  const { newItem } = exchange;
  const results = exchangeResults[exchange.status];
  const [usual] = results;
  return (
    <li class="part">
      <div class="row">
        <strong>
          {exchange.quantity} × {titles[exchange.lineId] ?? exchange.lineId}
        </strong>
        <Badge tone={exchange.status === 'fulfilled' ? 'good' : 'active'}>{codeText('status', exchange.status)}</Badge>
        {usual !== undefined && (
          <PartAction
            name="exchangeResult"
            text={t().recordResult}
            about={newItem.sku}
            command={{
              input: { exchangeId: exchange.exchangeId },
              initial: { status: usual },
              choices: { status: results.map((status) => ({ value: status, text: codeText('status', status) })) },
            }}
          />
        )}
      </div>
      <div>
        → {newItem.quantity} × {newItem.title ?? newItem.sku}
        {newItem.price !== undefined && (
          <>
            {' · '}
            <Money of={newItem.price} />
          </>
        )}
      </div>
      <div class="fine">
        {exchange.balance !== undefined && <Balance of={exchange.balance} />}
        {exchange.externalRef !== undefined && ` · ${exchange.externalRef}`}
        {exchange.newOrder !== undefined && (
          <a href={orderHref(exchange.newOrder)}>{` · ${exchange.newOrder.platform} ${exchange.newOrder.orderId}`}</a>
        )}
      </div>
    </li>
  );
};

/** What the shop gives in exchange by itself. */
const ShopExchanges = ({ items }: { readonly items: NonNullable<Return['shopExchanges']> }) => (
  <Section title={t().shopExchanges}>
    <ul class="plain">
      {items.map(({ externalId, quantity, sku, title, price }) => (
        <li key={externalId} class="part">
          {quantity !== undefined && `${quantity} × `}
          {title ?? sku ?? externalId}
          {price !== undefined && (
            <>
              {' · '}
              <Money of={price} />
            </>
          )}
        </li>
      ))}
    </ul>
  </Section>
);

/** The exchanges and received items that belong to no line. Without any of them, nothing is shown. */
export const OtherGoods = () => {
  const { value } = useScreen();
  return (
    <>
      {value.exchanges.length > 0 && (
        <Section title={t().exchanges}>
          <ul class="plain">
            {value.exchanges.map((exchange) => (
              <ExchangeItem key={exchange.exchangeId} exchange={exchange} />
            ))}
          </ul>
        </Section>
      )}
      {value.shopExchanges !== undefined && <ShopExchanges items={value.shopExchanges} />}
      {value.unexpected.length > 0 && (
        <Section title={fieldText('unexpected')}>
          <ul class="plain">
            {value.unexpected.map((item) => (
              <li key={item.id} class="part">
                <strong>
                  {item.quantity} × {item.sku ?? '?'}
                </strong>{' '}
                {item.disposition === undefined ? (
                  <Badge tone="warning">{t().noDisposition}</Badge>
                ) : (
                  <Badge>{label('disposition', item.disposition)}</Badge>
                )}
                {item.note !== undefined && <span class="quote">{item.note}</span>}
                {item.erased === true && <em> {common().erased}</em>}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
};
