import type { Output, OperationName } from '../contract/contract.ts';

/*
 * The core of a return: what a Returns Service must say about it. No other Returns Service fills all fields of ours. Eight
 * real ones have these fields in common, so an adapter must fill them. All other fields are optional.
 */

type OurReturn = Output<'getReturn'>;
type Summary = Output<'listReturns'>['items'][number];
type OurReason = Output<'listReasons'>['items'][number];

/** An amount in minor units with its currency. It is whole or absent. */
type Amount = { readonly amount: number; readonly currency: string };

/**
 * The fields of a return that only our standalone mode has: what policies, withdrawals, reminders and erasures leave, who
 * called our API, and what blocks a command of ours. No adapter fills them.
 */
export const ownFields = [
  'actor',
  'blockedBy',
  'decision',
  'decisionId',
  'discrepancies',
  'eligibility',
  'erased',
  'managedBy',
  'overrides',
  'refundReminders',
  'withdrawalId',
] as const;

/** A value of the contract with all of its fields optional. Amounts stay whole. */
type Loose<Value> = Value extends Amount
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Loose<Item>[]
    : Value extends object
      ? { readonly [Name in Exclude<keyof Value, (typeof ownFields)[number]>]?: Loose<Value[Name]> | undefined }
      : Value;

type Filled<Value, Core> = Loose<Omit<Value, keyof Core>> & Core;

/** An order of the service. The platform is absent where the service knows only one. */
type CoreOrder = {
  readonly orderId: string;
  readonly platform?: string | undefined;
  readonly number?: string | undefined;
};

type Quantities = OurReturn['lines'][number]['quantities'];
type CoreLine = Filled<
  OurReturn['lines'][number],
  { readonly quantities: Filled<Quantities, { readonly requested: number }> }
>;
/** A line where the adapter offers a command on lines. */
type NamedLine = CoreLine & { readonly lineId: string };

/** What the runner makes itself: the status from `state`, and the actions from the status. */
type Made = 'status' | 'allowedActions';

type Head<State extends string> = {
  readonly returnId: string;
  /** The state as the service names it. `states` of the adapter gives our status. */
  readonly state: State;
  readonly order: CoreOrder;
  readonly createdAt: string;
};

/** The commands that name lines by `lineId`. */
export const lineCommands = [
  'receive',
  'inspect',
  'grant',
  'correct',
  'refund',
  'exchange',
] as const satisfies readonly OperationName[];

type LineOf<Offered extends OperationName> = (typeof lineCommands)[number] & Offered extends never
  ? CoreLine
  : NamedLine;

/** A return of the service in the words of the contract. */
export type ForeignReturn<State extends string, Offered extends OperationName> = Filled<
  Omit<OurReturn, Made>,
  Head<State> & { readonly lines: readonly LineOf<Offered>[] }
> & {
  /** The offered commands that the service allows now. @default those that the status allows */
  readonly actions?: readonly Offered[] | undefined;
};

type ForeignSummary<State extends string> = Filled<Omit<Summary, Made>, Head<State>>;

type ForeignReason = Filled<OurReason, { readonly code: string; readonly labels: Readonly<Record<string, string>> }>;

/** A page of a list. `next` is what the mapping needs to read the next page; absent on the last page. */
export type ForeignPage<Item> = { readonly items: readonly Item[]; readonly next?: string | undefined };

type Page<Item> = { items: Item[]; nextCursor: string | null };
type FoundReturn = Output<'findReturns'>['items'][number];

type ForeignItem<Item, State extends string> = Item extends Summary
  ? ForeignSummary<State>
  : Item extends FoundReturn
    ? { readonly matchedBy: FoundReturn['matchedBy']; readonly return: ForeignSummary<State> }
    : Item extends OurReason
      ? ForeignReason
      : Item;

/** What the mapping of an operation returns. */
export type ForeignAnswer<Name extends OperationName, State extends string, Offered extends OperationName> =
  OurReturn extends Output<Name>
    ? ForeignReturn<State, Offered>
    : Output<Name> extends Page<infer Item>
      ? ForeignPage<ForeignItem<Item, State>>
      : Output<Name> extends { items: (infer Item)[] }
        ? Omit<Output<Name>, 'items'> & { readonly items: readonly ForeignItem<Item, State>[] }
        : Output<Name>;

/**
 * The required fields of the core, by the name of a schema of the contract. Further schemas that a return reaches require
 * nothing. Schemas of other answers are unchanged.
 */
export const requiredFields: Readonly<Record<string, readonly string[]>> = {
  Return: ['returnId', 'status', 'order', 'lines', 'createdAt'],
  ReturnSummary: ['returnId', 'status', 'order', 'createdAt'],
  ReturnLine: ['quantities'],
  Quantities: ['requested'],
  ReasonDefinition: ['code', 'labels'],
};
