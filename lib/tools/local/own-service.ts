import { readFileSync } from 'node:fs';
import { addressError } from '../../runtime/address.ts';
import { type JsonObject, parseObject } from '../../runtime/json.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';

/** A service of the user, to which the adapter on this machine speaks in place of an example. */
export type OwnService = {
  readonly serviceUrl: string;
  readonly authUrl: string;
  /** The content of the client's secret. */
  readonly clientSecret: JsonObject;
  /** A return that the service has. */
  readonly returnId: string | undefined;
};

/** The options of `npm start` about this service. */
export const ownServiceOptions = {
  service: {
    type: 'string',
    value: '<url>',
    about: 'With --adapter: your service, in place of an example. It gets reads only.',
  },
  auth: { type: 'string', value: '<url>', about: 'With --service: the address of the identity provider.' },
  secret: { type: 'string', value: '<file>', about: "With --service: the client's secret, as in Secrets Manager." },
  return: { type: 'string', value: '<id>', about: 'With --service: a return to read.' },
} as const;

type Values = Readonly<Record<string, unknown>>;

const readSecret = (file: string): Result<JsonObject, string> => {
  try {
    const secret = parseObject(readFileSync(file, 'utf8'));
    return secret === undefined ? fail('--secret must name a file with a JSON object.') : ok(secret);
  } catch {
    return fail(`--secret: ${file} is not readable.`);
  }
};

/** Returns the service that the options name; undefined when they name none. The failure is one sentence. */
export const readOwnService = (values: Values): Result<OwnService | undefined, string> => {
  const { service, auth, secret, return: returnId } = values;
  if (typeof service !== 'string') {
    const other = ['auth', 'secret', 'return'].find((name) => values[name] !== undefined);
    return other === undefined ? ok(undefined) : fail(`--${other} needs --service.`);
  }
  if (typeof values['adapter'] !== 'string') return fail('--service needs --adapter.');
  if (typeof auth !== 'string' || typeof secret !== 'string') return fail('--service needs --auth and --secret.');
  for (const [name, address] of Object.entries({ service, auth })) {
    const error = addressError(address);
    if (error !== undefined) return fail(`--${name} ${error}.`);
  }
  const clientSecret = readSecret(secret);
  if (!clientSecret.ok) return clientSecret;
  const id = typeof returnId === 'string' ? returnId : undefined;
  return ok({ serviceUrl: service, authUrl: auth, clientSecret: clientSecret.value, returnId: id });
};
