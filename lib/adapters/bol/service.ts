/*
 * The types of the retailer API of bol, version 10, as its public description gives them. They have the members that the
 * adapter reads or sends.
 */

/** What a retailer can say about a returned item. */
export type HandlingResult =
  | 'RETURN_RECEIVED'
  | 'EXCHANGE_PRODUCT'
  | 'RETURN_DOES_NOT_MEET_CONDITIONS'
  | 'REPAIR_PRODUCT'
  | 'CUSTOMER_KEEPS_PRODUCT_PAID'
  | 'STILL_APPROVED';

export type ProcessingResult = {
  readonly quantity: number;
  /** The description has only an example. These words are in its pages and in earlier versions of it. */
  readonly processingResult: 'PENDING' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED';
  /** A {@link HandlingResult}, or one that only bol gives, such as `EXPIRED`. */
  readonly handlingResult: string;
  readonly processingDateTime: string;
};

/** An item of a return in a list. */
export type ReducedReturnItem = {
  readonly rmaId: string;
  /** Items of one return can belong to several orders. */
  readonly orderId: string;
  readonly ean: string;
  readonly expectedQuantity: number;
  readonly returnReason: {
    readonly mainReason: string;
    readonly detailedReason?: string | null;
    readonly customerComments: string;
  };
  readonly handled: boolean;
  readonly processingResults: readonly ProcessingResult[];
};

export type ReturnItem = ReducedReturnItem & {
  readonly title: string;
  readonly trackAndTrace?: string | null;
  readonly transporterName?: string | null;
  readonly customerDetails: {
    readonly firstName?: string | null;
    readonly surname?: string | null;
    readonly email?: string | null;
  } | null;
};

export type BolReturn<Item extends ReducedReturnItem = ReturnItem> = {
  readonly returnId: string;
  /** With an offset, such as `2026-11-14T11:06:48+01:00`. */
  readonly registrationDateTime: string;
  /** `FBR`: the retailer handles the return. `FBB`: bol does. */
  readonly fulfilmentMethod: string;
  readonly returnItems: readonly Item[];
};

/** A page of 50 returns. Nothing says whether there is a next one. */
export type ReturnsPage = { readonly returns: readonly BolReturn<ReducedReturnItem>[] };

/** The body of a request that handles an item. */
export type Handling = { readonly handlingResult: HandlingResult; readonly quantityReturned: number };

/** The state of a request that bol carries out later. It is readable for a limited time. */
export type ProcessStatus = {
  readonly processStatusId?: string | null;
  readonly status: 'PENDING' | 'SUCCESS' | 'FAILURE' | 'TIMEOUT';
};
