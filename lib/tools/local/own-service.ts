import { fail, ok, type Result } from '../../runtime/result.ts';
import { accessOptions, type NamedService, readNamedService } from '../command-line/named-service.ts';

/** A service of the user, to which the adapter on this machine speaks in place of an example. */
export type OwnService = NamedService & {
  /** A return that the service has. */
  readonly returnId: string | undefined;
};

/** The options of `npm start` about this service. */
export const ownServiceOptions = {
  service: {
    type: 'string',
    value: '<url>',
    about: 'With --adapter: your service, in place of an example. The first steps only read.',
  },
  ...accessOptions,
  return: { type: 'string', value: '<id>', about: 'With --service: a return to read.' },
} as const;

type Values = Readonly<Record<string, unknown>>;

/** Returns the service that the options name; undefined when they name none. The failure is one sentence. */
export const readOwnService = (values: Values): Result<OwnService | undefined, string> => {
  const { service, return: returnId } = values;
  if (typeof service !== 'string') {
    const other = ['auth', 'secret', 'return'].find((name) => values[name] !== undefined);
    return other === undefined ? ok(undefined) : fail(`--${other} needs --service.`);
  }
  if (typeof values['adapter'] !== 'string') return fail('--service needs --adapter.');
  const named = readNamedService(service, values);
  if (!named.ok) return named;
  return ok({ ...named.value, returnId: typeof returnId === 'string' ? returnId : undefined });
};
