import type { Money } from '../../../contract/scalars.ts';
import { exponent } from '../../../domain/money/currency.ts';
import { minorUnits } from '../../../domain/money/decimal.ts';
import { rateOfFraction, taxLine } from '../shared/fields/tax-lines.ts';

/*
 * The fields that we read of commercetools' responses. Fields that are optional there, or newer than some projects, are
 * optional here.
 * https://docs.commercetools.com/api/projects/orders
 */

/** `centAmount` is in the smallest unit of the currency. For high precision money it is rounded. */
export type MoneyNode = {
  readonly type?: string;
  readonly centAmount: number;
  readonly currencyCode: string;
  readonly fractionDigits?: number;
};

type Taxed = {
  readonly totalNet?: MoneyNode;
  readonly totalGross?: MoneyNode;
  readonly totalTax?: MoneyNode;
  /** The tax by rate. Orders of before March 2024 have none. */
  readonly taxPortions?: readonly { readonly rate: number; readonly amount: MoneyNode }[];
};
/** `amount` is a part of one: 0.19 is 19 %. */
type TaxRate = { readonly amount?: number; readonly includedInPrice?: boolean };
type Localized = Readonly<Record<string, string>>;

export type LineNode = {
  readonly id: string;
  readonly quantity: number;
  readonly productId?: string;
  readonly name?: Localized;
  readonly variant?: { readonly sku?: string };
  /** The price of a line item; `discounted` by a product discount. */
  readonly price?: { readonly value: MoneyNode; readonly discounted?: { readonly value: MoneyNode } };
  /** The price of a custom line item. */
  readonly money?: MoneyNode;
  /** After cart discounts. */
  readonly totalPrice?: MoneyNode;
  readonly taxedPrice?: Taxed;
  readonly taxRate?: TaxRate;
  /** The tax rates if the order has several shipping methods. */
  readonly perMethodTaxRate?: readonly { readonly taxRate?: TaxRate }[];
};

/** https://docs.commercetools.com/api/projects/orders#returnitem */
export type ReturnItemNode = {
  readonly id: string;
  readonly key?: string;
  readonly quantity: number;
  readonly lineItemId?: string;
  readonly customLineItemId?: string;
  readonly comment?: string;
  readonly shipmentState: string;
  readonly paymentState?: string;
  readonly createdAt?: string;
};

/** It has no id. https://docs.commercetools.com/api/projects/orders#returninfo */
export type ReturnInfoNode = {
  readonly items: readonly ReturnItemNode[];
  readonly returnTrackingId?: string;
};

export type TransactionNode = {
  readonly id: string;
  readonly timestamp?: string;
  readonly type: string;
  readonly state: string;
  readonly amount: MoneyNode;
  /** The reference of the payment service. */
  readonly interactionId?: string;
};

/** https://docs.commercetools.com/api/projects/payments */
export type PaymentNode = {
  readonly id: string;
  readonly version?: number;
  readonly createdAt?: string;
  readonly paymentMethodInfo?: { readonly method?: string; readonly paymentInterface?: string };
  readonly transactions?: readonly TransactionNode[];
};

export type DeliveryNode = {
  readonly createdAt?: string;
  readonly items?: readonly { readonly id: string; readonly quantity: number }[];
};

export type ShippingInfoNode = {
  readonly price: MoneyNode;
  readonly discountedPrice?: { readonly value: MoneyNode };
  readonly taxedPrice?: Taxed;
  readonly taxRate?: TaxRate;
  readonly deliveries?: readonly DeliveryNode[];
};

type AddressNode = { readonly country?: string; readonly region?: string; readonly state?: string };

export type OrderNode = {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
  readonly lastModifiedAt: string;
  readonly orderNumber?: string;
  readonly customerId?: string;
  readonly customerEmail?: string;
  readonly country?: string;
  readonly completedAt?: string;
  readonly totalPrice: MoneyNode;
  readonly taxedPrice?: Taxed;
  /** A discount on the whole order, and on none of its lines. */
  readonly discountOnTotalPrice?: {
    readonly discountedAmount: MoneyNode;
    /** The two are present if the order has a taxed price. */
    readonly discountedNetAmount?: MoneyNode;
    readonly discountedGrossAmount?: MoneyNode;
  };
  readonly shippingMode?: string;
  readonly shippingInfo?: ShippingInfoNode;
  /** The shipping methods in the shipping mode `Multiple`. */
  readonly shipping?: readonly { readonly shippingInfo: ShippingInfoNode; readonly shippingAddress?: AddressNode }[];
  readonly shippingAddress?: AddressNode;
  readonly billingAddress?: { readonly firstName?: string; readonly lastName?: string };
  readonly lineItems: readonly LineNode[];
  readonly customLineItems?: readonly LineNode[];
  readonly returnInfo?: readonly ReturnInfoNode[];
  /** The query expands `obj`. It is absent if the payment is deleted. */
  readonly paymentInfo?: { readonly payments: readonly { readonly id: string; readonly obj?: PaymentNode }[] };
};

/** Returns all lines of an order. Custom lines can be returned like others. */
export const linesOf = ({ lineItems, customLineItems = [] }: OrderNode): readonly LineNode[] => [
  ...lineItems,
  ...customLineItems,
];

/** Returns the id of the order line of a return item. */
export const lineIdOf = ({ lineItemId, customLineItemId }: ReturnItemNode): string | undefined =>
  lineItemId ?? customLineItemId;

/** The key of an item that we write: the id of our return, and a number. */
export const itemKeyOf = (returnId: string, number: number): string => `${returnId}_${number}`;

const ourItemKey = /^(ret_[0-9A-Z]{26})_\d+$/;

/** Whether we wrote a return info, for the return with this id or for any. */
export const isOurInfo = ({ items }: ReturnInfoNode, returnId?: string): boolean =>
  items.length > 0 &&
  items.every(({ key }) => {
    const [, id] = ourItemKey.exec(key ?? '') ?? [];
    return id !== undefined && (returnId === undefined || id === returnId);
  });

/**
 * Returns an amount in integer minor units (ISO 4217); undefined if it is inexact or negative.
 * High precision money has its digits in another field, `preciseAmount`.
 * https://docs.commercetools.com/api/types#money
 */
export const moneyOf = (node: MoneyNode | undefined): Money | undefined => {
  if (node === undefined) return undefined;
  const { centAmount, currencyCode, type } = node;
  const digits = (type === 'highPrecision' ? undefined : node.fractionDigits) ?? exponent(currencyCode);
  if (!Number.isSafeInteger(centAmount) || centAmount < 0) return undefined;
  if (digits === undefined || !Number.isInteger(digits) || digits < 0 || digits > 18) return undefined;
  const text = String(centAmount).padStart(digits + 1, '0');
  const cut = text.length - digits;
  const amount = digits === 0 ? text : `${text.slice(0, cut)}.${text.slice(cut)}`;
  return minorUnits({ amount, currencyCode });
};

/** Returns the tax of a taxed price: as reported, or the difference between net and gross. */
export const taxOf = (
  taxed: { readonly totalNet?: MoneyNode; readonly totalGross?: MoneyNode; readonly totalTax?: MoneyNode } | undefined,
): Money | undefined => {
  const totalTax = moneyOf(taxed?.totalTax);
  if (totalTax !== undefined) return totalTax;
  const [net, gross] = [moneyOf(taxed?.totalNet), moneyOf(taxed?.totalGross)];
  if (net === undefined || gross === undefined || net.currency !== gross.currency || gross.amount < net.amount)
    return undefined;
  return { amount: gross.amount - net.amount, currency: gross.currency };
};

/**
 * Returns the tax of a priced thing by rate: its portions, or else its whole tax at its only rate.
 * https://docs.commercetools.com/api/projects/carts#taxeditemprice
 */
export const taxLinesOf = ({ taxedPrice, taxRate }: Pick<LineNode, 'taxedPrice' | 'taxRate'>) => {
  const portions = taxedPrice?.taxPortions ?? [];
  return portions.length > 0
    ? portions.map(({ rate, amount }) => taxLine(moneyOf(amount), rateOfFraction(rate)))
    : [taxLine(taxOf(taxedPrice), rateOfFraction(taxRate?.amount))];
};
