import { customerFacts, destinationFacts } from '../shared/fields/buyer.ts';
import { objectOf, objectsOf, optional } from '../shared/fields/fields.ts';
import type { OrderFacts } from '../platform.ts';
import { clip, platformId } from '../shared/fields/text.ts';
import { moneyOf } from './amounts.ts';
import { countryOf } from './countries.ts';
import type { Order } from './order.ts';

/** Addresses by which VTEX forwards mail: another one for each order, so they tell nobody apart. */
const isAlias = (email: string): boolean => /ct\.vtex\.com\.br$/i.test(email);

/** Who bought it, and whether for a company. */
export const buyerOf = ({ fields }: Order): Pick<OrderFacts, 'customer' | 'buyerIsConsumer'> => {
  const profile = objectOf(fields['clientProfileData']);
  const { isCorporate, userProfileId: id, firstName, lastName } = profile;
  const email = clip(profile['email'], 320);
  const customer = customerFacts({
    id: platformId(clip(id, 200)),
    email: email !== undefined && isAlias(email) ? undefined : email,
    names: [firstName, lastName],
  });
  return {
    ...optional('customer', customer),
    ...(typeof isCorporate === 'boolean' && { buyerIsConsumer: !isCorporate }),
  };
};

/** Where it was sent; VTEX names countries by three letters. */
export const destinationOf = ({ fields }: Order): OrderFacts['destination'] => {
  const { country, state } = objectOf(objectOf(fields['shippingData'])['address']);
  return destinationFacts(countryOf(country), state);
};

/** The payments of the transactions that count. */
export const paymentFacts = ({ fields, currency }: Order): OrderFacts['payments'] => {
  const payments = objectsOf(objectOf(fields['paymentData'])['transactions'])
    .filter(({ isActive }) => isActive !== false)
    .flatMap((transaction) => objectsOf(transaction['payments']))
    .flatMap((payment) => {
      const id = platformId(clip(payment['id'], 200));
      const method = clip(payment['group'], 100) ?? clip(payment['paymentSystemName'], 100);
      const paid = moneyOf(payment['value'], currency);
      const isTold = id !== undefined && method !== undefined && paid !== undefined;
      return isTold ? [{ id, method, paid }] : [];
    });
  return payments.length === 0 ? undefined : payments.slice(0, 50);
};
