import { StepError } from './step.ts';
import type { StartOptions } from '../start-command.ts';

/** The messages of a failure, innermost last. */
const messagesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : messagesOf(error.cause))]
    : [String(error)];

type Options = Pick<StartOptions, 'dataDir' | 'verbose' | 'ownService' | 'offer'>;

/** The next step. Of a service of the user, the access is wrong more often than this machine. */
const nextStep = (error: unknown, { dataDir, verbose, ownService, offer }: Options): string =>
  ownService !== undefined && error instanceof StepError
    ? `Run npm run conform -- --adapter ${offer?.adapter?.name} with the same --service, --auth and --secret: it says which of them is wrong.`
    : `Read ${dataDir}/logs/, or start again with ${verbose ? '' : '--verbose, or '}--fresh, which deletes earlier data.`;

/** Returns the text of a start that failed: the messages, the explaining log lines, and the next step. */
export const startFailure = (error: unknown, options: Options, explain: () => readonly string[]): string => {
  const [first = '', ...causes] = messagesOf(error);
  const excerpt = error instanceof StepError ? error.excerpt : explain();
  return ['', `${first}.`, ...causes.map((cause) => `  Cause: ${cause}`), ...excerpt, nextStep(error, options)].join(
    '\n',
  );
};
