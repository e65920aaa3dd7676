import type * as operations from '../contract/operations.ts';
import type { Input, OperationName, Output } from '../contract/contract.ts';
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

/** What a call of the operation can be told. */
type OptionsOf<Name extends OperationName> = RequestOptions &
  When<Table[Name]['idempotencyKey'], true, KeyOptions> &
  When<Table[Name]['dryRun'], true, DryRunOptions> &
  (Table[Name] extends { readonly localized: true } ? LanguageOptions : unknown) &
  When<Table[Name]['ifMatch'], 'heeded', VersionOptions> &
  When<Table[Name]['ifMatch'], 'required' | 'required_or_none', RequiredVersionOptions>;

/** Input and options, either left out where nothing must be said. */
type Arguments<Name extends OperationName> =
  object extends OptionsOf<Name>
    ? object extends Input<Name>
      ? [input?: Input<Name>, options?: OptionsOf<Name>]
      : [input: Input<Name>, options?: OptionsOf<Name>]
    : [input: Input<Name>, options: OptionsOf<Name>];

export type Methods = {
  readonly [Name in OperationName]: (...given: Arguments<Name>) => Promise<Result<Answer<Output<Name>>>>;
};

type PagedName = {
  [Name in OperationName]: 'cursor' extends Table[Name]['query'][number] ? Name : never;
}[OperationName];

export type Items = {
  readonly [Name in PagedName]: (...given: Arguments<Name>) => AsyncIterable<Result<Output<Name>['items'][number]>>;
};

/** One method for each operation of the contract, by its name. */
export type ReturnsClient = Methods & {
  /** The items of each list, whatever pages they come in. A refusal is the last of them. */
  readonly items: Items;
  /** Lets the calls under way end, then ends the connections and all that runs beside. A call after it rejects. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};
