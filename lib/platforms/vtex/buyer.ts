import type { Input } from '../../contract/schemas.ts';
import { clip } from '../text.ts';
import { moneyOf } from './amounts.ts';
import { countryOf } from './countries.ts';
import { objectOf, objects, optional } from './fields.ts';
import type { Order } from './order.ts';

type Facts = Input<'registerOrder'>;

/** Addresses by which VTEX forwards mail: another one for each order, so they tell nobody apart. */
const isAlias = (email: string): boolean => /ct\.vtex\.com\.br$/i.test(email);

/** Who bought it, and whether for a company. */
export const customerFacts = ({ fields }: Order): Pick<Facts, 'customer' | 'buyerIsConsumer'> => {
  const profile = objectOf(fields['clientProfileData']);
  const names = [profile['firstName'], profile['lastName']].flatMap((name) => clip(name, 100) ?? []);
  const email = clip(profile['email'], 320);
  const id = clip(profile['userProfileId'], 200);
  const customer = {
    ...optional('id', id !== undefined && /^[\x21-\x7e]+$/.test(id) ? id : undefined),
    ...optional('email', email !== undefined && !isAlias(email) ? email : undefined),
    ...optional('name', clip(names.join(' '), 200)),
  };
  const { isCorporate } = profile;
  return {
    ...(Object.keys(customer).length > 0 && { customer }),
    ...(typeof isCorporate === 'boolean' && { buyerIsConsumer: !isCorporate }),
  };
};

export const destinationFacts = ({ fields }: Order): Facts['destination'] => {
  const address = objectOf(objectOf(fields['shippingData'])['address']);
  const country = countryOf(address['country']);
  return country === undefined ? undefined : { country, ...optional('region', clip(address['state'], 100)) };
};

/** The payments of the transactions that count. */
export const paymentFacts = ({ fields, currency }: Order): Facts['payments'] => {
  const payments = objects(objectOf(fields['paymentData'])['transactions'])
    .filter(({ isActive }) => isActive !== false)
    .flatMap((transaction) => objects(transaction['payments']))
    .flatMap((payment) => {
      const id = clip(payment['id'], 200);
      const method = clip(payment['group'], 100) ?? clip(payment['paymentSystemName'], 100);
      const paid = moneyOf(payment['value'], currency);
      const isTold = id !== undefined && /^[\x21-\x7e]+$/.test(id) && method !== undefined && paid !== undefined;
      return isTold ? [{ id, method, paid }] : [];
    });
  return payments.length === 0 ? undefined : payments.slice(0, 50);
};
