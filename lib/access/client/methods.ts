import type * as operations from '../../contract/operations.ts';
import type { Input, OperationName, Output } from '../../contract/contract.ts';
import type {
  Answer,
  DryRunOptions,
  KeyOptions,
  LanguageOptions,
  RequestOptions,
  RequiredVersionOptions,
  Result,
  VersionOptions,
} from './public.ts';

type Table = typeof operations;
type When<Flag, Wanted, Options> = Flag extends Wanted ? Options : unknown;

/** The options of a call of the operation. */
type OptionsOf<Name extends OperationName> = RequestOptions &
  When<Table[Name]['idempotencyKey'], true, KeyOptions> &
  When<Table[Name]['dryRun'], true, DryRunOptions> &
  (Table[Name] extends { readonly localized: true } ? LanguageOptions : unknown) &
  When<Table[Name]['ifMatch'], 'optional', VersionOptions> &
  When<Table[Name]['ifMatch'], 'required' | 'required_or_none', RequiredVersionOptions>;

/** Input and options; either is optional when it has no required field. */
type Arguments<Name extends OperationName> =
  object extends OptionsOf<Name>
    ? object extends Input<Name>
      ? [input?: Input<Name>, options?: OptionsOf<Name>]
      : [input: Input<Name>, options?: OptionsOf<Name>]
    : [input: Input<Name>, options: OptionsOf<Name>];

export type Methods = {
  readonly [Name in OperationName]: (...args: Arguments<Name>) => Promise<Result<Answer<Output<Name>>>>;
};

type PagedName = {
  [Name in OperationName]: 'cursor' extends Table[Name]['query'][number] ? Name : never;
}[OperationName];

export type Items = {
  readonly [Name in PagedName]: (...args: Arguments<Name>) => AsyncIterable<Result<Output<Name>['items'][number]>>;
};

/** One method for each operation of the contract, by its name. */
export type ReturnsClient = Methods & {
  /** The items of each list, over all of its pages. A failure is the last item. */
  readonly items: Items;
  /** Waits for the running calls, then ends connections and background work. Later calls reject. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};
