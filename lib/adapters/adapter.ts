import type { Input, OperationName } from '../contract/contract.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type * as table from '../contract/operations.ts';
import type { Status } from '../domain/returns/model/status.ts';
import type { AccessSetting } from '../runtime/service-access.ts';
import type { ForeignAnswer } from './core.ts';
import type { Service } from './send.ts';

/** The operations that a deployment serves itself, or that no other Returns Service has. */
export type LocalName =
  | 'asyncapi'
  | 'getInboxDelivery'
  | 'health'
  | 'listDeadLetters'
  | 'listInboxDeliveries'
  | 'openapi'
  | 'redrive'
  | 'redriveDeadLetters'
  | 'replay'
  | 'replayRange';

/** The operations that an adapter can offer. */
export type OfferableName = Exclude<OperationName, LocalName>;

/** The paths of the fields of an input, such as `lines.reason.note`. A list counts as its items. */
type FieldPath<Value> = Value extends readonly (infer Item)[]
  ? FieldPath<Item>
  : Value extends object
    ? {
        [Name in keyof Value & string]: Name | `${Name}.${FieldPath<NonNullable<Value[Name]>>}`;
      }[keyof Value & string]
    : never;

/** An operation that reads: the service may get its requests twice. */
export type ReadMapping<Name extends OfferableName, State extends string, Offered extends OfferableName> = {
  /**
   * The fields of the input that the mapping honours, besides those of the path. The contract of the deployment has no
   * other fields: a request with another field fails before anything is sent. The fields that our contract requires must
   * be among them.
   */
  readonly accepts: readonly FieldPath<Input<Name>>[];
  readonly run: (input: Input<Name>, service: Service) => Promise<ForeignAnswer<Name, State, Offered>>;
};

/** How a repeat of a command has one effect at the service. */
type Repeat<Name extends OfferableName, State extends string, Offered extends OfferableName> =
  /** The service takes an idempotency key in this header: a repeat is sent again with the same key. */
  | { readonly rule: 'header'; readonly header: string }
  /** The service finds the first request by facts of the request itself: a repeat is sent again. */
  | { readonly rule: 'natural key' }
  /**
   * A repeat reads whether the effect is there: `find` returns the answer then. It returns `no effect` if the request
   * never has one, because `find` took back a part that was carried out: then the key may be used again. It returns
   * undefined while the effect is unknown.
   */
  | {
      readonly rule: 'read first';
      readonly find: (
        input: Input<Name>,
        service: Service,
      ) => Promise<ForeignAnswer<Name, State, Offered> | 'no effect' | undefined>;
    }
  /** The effect stays unknown: a repeat answers 504. */
  | { readonly rule: 'never' };

/** A command: the service must not carry it out twice. */
export type CommandMapping<
  Name extends OfferableName,
  State extends string,
  Offered extends OfferableName,
> = ReadMapping<Name, State, Offered> & { readonly repeat: Repeat<Name, State, Offered> };

type Mapping<
  Name extends OfferableName,
  State extends string,
  Offered extends OfferableName,
> = Name extends keyof typeof table
  ? (typeof table)[Name]['idempotencyKey'] extends true
    ? CommandMapping<Name, State, Offered>
    : ReadMapping<Name, State, Offered>
  : never;

/** What a service answers, for `errorIn`. */
export type ServiceAnswer = { readonly status: number; readonly body: unknown };

/**
 * How connected mode speaks to one kind of Returns Service.
 *
 * `State` has the words of the service for the state of a return. `Offered` has the operations of our contract that the
 * service has. What is not offered does not exist in the deployment.
 */
export type Adapter<State extends string, Offered extends OfferableName> = {
  /** The folder of the adapter: its name in stage files and in `npm start -- --adapter`. */
  readonly name: string;
  /** The kind of service in a few words, for documents and logs. */
  readonly title: string;
  /** Defaults of parameters of the deployment, such as `ServicePath`. A stage file may replace them. */
  readonly parameters: Readonly<Partial<Record<Capitalize<AccessSetting>, string>>>;
  /** Our status for each word of theirs. */
  readonly states: Readonly<Record<State, Status>>;
  /** Our status for a word that the service adds later. The answer then has the word in `externalStatus`. */
  readonly otherwise: Status;
  /**
   * Our code for a status of the service, and for a word of its errors, which counts first. Other statuses below 500 and
   * other words are `dependency_refused`. The documents of the deployment name these codes.
   */
  readonly failures: Readonly<Record<string, ErrorCode>>;
  /** The codes that mappings find themselves, such as an id that is no number. The documents name them too. */
  readonly ownFailures?: readonly ErrorCode[];
  /** Returns the word of the error in an answer, also with status 200; undefined without an error. */
  readonly errorIn?: (answer: ServiceAnswer) => string | undefined;
  /** Reads something small that needs a token: the health check. */
  readonly probe: (service: Service) => Promise<unknown>;
  readonly operations: { readonly [Name in Offered]: Mapping<Name, State, Offered> };
};
