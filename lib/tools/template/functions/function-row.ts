import type { OperationName } from '../../../contract/contract.ts';
import type { Permission } from '../permissions/permission.ts';

/** The modes in which the bundle is deployed. */
export const modes = ['connected', 'standalone'] as const;
export type Mode = (typeof modes)[number];

/** Variables of a function beyond those that all functions of its mode have; a value is a text or an intrinsic. */
export type Environment = Readonly<Record<string, string | object>>;

/** Functions without a timeout of their own have this one, in seconds. */
export const defaultTimeout = 10;

/** `critical`: callers, shops or receivers are affected now. `warning`: an operator acts within the working day. */
export type Severity = 'critical' | 'warning';

/** An alarm on a metric of the function. It fires when each of the last periods lies above the threshold. */
export type FunctionAlarm = {
  /** @default 'warning' */
  readonly severity?: Severity;
  readonly description: string;
  /** @default 'Errors' */
  readonly metric?: 'Errors' | 'IteratorAge';
  /** Seconds. */
  readonly period: number;
  readonly evaluationPeriods: number;
  /** Milliseconds for IteratorAge. @default 0 */
  readonly threshold?: number;
};

/** A queue of lib/tools/template/queues.ts feeds the function. */
export type QueueTrigger = {
  readonly kind: 'queue';
  readonly queue: 'Inbox' | 'Events' | 'Jobs' | 'Outbox' | 'WriteBack' | 'Mails';
  readonly batchSize: number;
  readonly maxConcurrency: number;
};

/** The stream of the table feeds the function. Records that fail for too long go to the queue StreamDeadLetters. */
export type StreamTrigger = {
  readonly kind: 'stream';
  /** Further properties of the event source mapping. */
  readonly mapping: Readonly<Record<string, number | readonly string[]>>;
  /** Records that fit one of these patterns are delivered. */
  readonly filterPatterns: readonly object[];
};

/** EventBridge Scheduler invokes the function, in UTC. Its payload holds the time that the run was due. */
export type ScheduleTrigger = {
  readonly kind: 'schedule';
  /** `rate(...)` or `cron(...)`, or an intrinsic that gives one. */
  readonly expression: string | object;
  /** The time without a run after which the heartbeat rings. @default it follows from an expression that is a text */
  readonly heartbeat?: { readonly period: number; readonly evaluationPeriods: number | object };
  /**
   * Retries of Lambda after a failed run. `none` suits a frequent schedule. `twice` suits a daily one.
   */
  readonly retries: 'none' | 'twice';
};

/** Secrets Manager invokes the function for the rotation of secrets. */
export type RotationTrigger = {
  readonly kind: 'rotation';
  /** The parameter with the days between two rotations. The condition of the function holds unless it is 0. */
  readonly days: string;
  /** The secrets as intrinsics. `HistoryKeys` makes HistoryKeysRotation. */
  readonly secrets: Readonly<Record<string, object>>;
  /** Conditions of the template without which a secret does not exist, by the name of the secret. */
  readonly conditions?: Readonly<Record<string, string>>;
};

export type Trigger =
  | RotationTrigger
  | { readonly kind: 'operation' }
  | { readonly kind: 'webhook' }
  /** A route of the `web` API, which browsers open. */
  | { readonly kind: 'web' }
  /** The authorizer of the `api` API, which the gateway invokes before a function of the API. */
  | { readonly kind: 'authorizer' }
  /** No event invokes it: an operator does. */
  | { readonly kind: 'operator' }
  | QueueTrigger
  | StreamTrigger
  | ScheduleTrigger;

/** A deployed function: its differences to the others. */
export type FunctionRow = {
  readonly trigger: Trigger;
  /** The permissions of the function's role in each mode. The function exists in these modes. */
  readonly permissions: Readonly<Partial<Record<Mode, readonly Permission[]>>>;
  /** Seconds. @default defaultTimeout */
  readonly timeout?: number;
  readonly environment?: Environment;
  /** The permissions in a deployment with an adapter. @default those of the connected mode */
  readonly adapterPermissions?: readonly Permission[];
  /** The variables in a deployment with an adapter. @default `environment` and those of the connected mode */
  readonly adapterEnvironment?: Environment;
  /**
   * The operations without which the function does not exist.
   * @default those that its file imports from `#backend`
   */
  readonly needs?: readonly OperationName[];
  /** Whether only a deployment with an adapter has the function. @default false */
  readonly onlyAdapters?: true;
  /** Variables in one mode, added to `environment`. */
  readonly environmentByMode?: Readonly<Partial<Record<Mode, Environment>>>;
  readonly alarm?: FunctionAlarm;
  /** The condition of the template without which the function does not exist. */
  readonly condition?: string;
  /** Whether the function may send to the queue that feeds it. Lambda stops it as a loop otherwise. @default false */
  readonly recursiveLoop?: boolean;
  /** Reserved concurrency, as an intrinsic. @default none */
  readonly reservedConcurrency?: object;
};

/** The same permissions in both modes. */
export const inBothModes = (permissions: readonly Permission[]): FunctionRow['permissions'] => ({
  connected: permissions,
  standalone: permissions,
});
