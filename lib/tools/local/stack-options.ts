import type { EngineChoice } from './engine/engine-choice.ts';
import type { StackEvent } from './events.ts';
import type { Offer } from '../template/offer.ts';
import type { OwnService } from './own-service.ts';
import type { ModeSettings } from './mode-process.ts';
import type { Ports } from './ports.ts';
import type { WaitFor } from './waits.ts';

/** The options of a local stack. */
export type StackOptions = {
  /** The folder of all data that outlives a run: tables, queues, secrets, keys, logs. */
  readonly dataDir: string;
  /** @default any free port for each server */
  readonly ports?: Partial<Ports>;
  /** Removes the state of earlier stacks from the data directory. Removes their tables from an external engine. */
  readonly fresh?: boolean;
  /**
   * The DynamoDB engine.
   * @default the result of `findEngine`
   */
  readonly engine?: EngineChoice;
  /**
   * The folder of dist/, built and packaged. External services start while a build still runs.
   * @default the working directory
   */
  readonly root?: string | Promise<string>;
  /**
   * The deployment of an adapter. The stack has it and an example of its service then, and no standalone mode.
   * @default both modes
   */
  readonly offer?: Offer | undefined;
  /**
   * The service of the user, to which the adapter speaks.
   * @default an example of the service
   */
  readonly ownService?: OwnService | undefined;
  /**
   * Where the adapter reaches the example service, such as a proxy in front of it.
   * @default the address of the example service
   */
  readonly serviceUrl?: string;
  /**
   * The milliseconds after which the example service carries out what it does later.
   * @default 300
   */
  readonly processingMs?: () => number;
  /**
   * The file that records the functions' calls of AWS.
   * @default none
   */
  readonly callRecord?: string;
  /**
   * The authorizer of both APIs, in the format of the template's parameter.
   * @default gateway
   */
  readonly tokenAuthorizer?: 'gateway' | 'function';
  /** Whether the containers of the connected mode share their tokens. */
  readonly sharedToken?: boolean;
  /**
   * Terms of the standalone mode for new returns, which override those of a deployment without any.
   * @default none
   */
  readonly returnTerms?: object;
  /**
   * Whether a second person must publish a policy.
   * @default false
   */
  readonly fourEyes?: boolean;
  /**
   * The table that the standalone mode uses, such as a restored one. The engine must have it.
   * @default a table of the stack's own
   */
  readonly existingTable?: string | undefined;
  /**
   * The platforms whose deliveries are accepted, in the format of the template's parameter.
   * @default shopify
   */
  readonly platforms?: string;
  /**
   * The platforms whose shops run in the stack, besides Shopify.
   * @default none
   */
  readonly shops?: readonly string[];
  /**
   * The platforms of orders whose shops may be asked to do something, in the format of the template's parameter. Each
   * action is off until setWriteBack turns it on.
   * @default none
   */
  readonly writeBack?: string;
  /**
   * The sender of mails of the standalone mode, in the format of the template's parameter. The emulator of SES accepts
   * addresses of shop.example.
   * @default none
   */
  readonly mailSender?: string;
  /**
   * Whether the tables' streams feed functions. Their permissions are checked in either case.
   * @default true
   */
  readonly streams?: boolean;
  /**
   * Whether the schedules invoke functions.
   * @default true
   */
  readonly schedules?: boolean;
  /**
   * Whether the modes save memory, at the cost of CPU time under load.
   * @default false
   */
  readonly light?: boolean;
  /**
   * The modes to start. The others get their resources, but no functions and APIs.
   * @default both
   */
  readonly modes?: readonly ModeSettings['mode'][];
  /**
   * The factor by which functions may exceed the deployed timeouts, including those of the table: a busy machine is
   * slower, not faulty.
   * @default 1
   */
  readonly timeScale?: number;
  /**
   * Watches the parts that the start waits for. No time limit ends it otherwise.
   * @default reports on stderr what makes no progress
   */
  readonly waitFor?: WaitFor;
  readonly onEvent?: (event: StackEvent) => void;
};

/** The options after the build. */
export type BuiltOptions = Omit<StackOptions, 'root'> & { readonly root: string };
