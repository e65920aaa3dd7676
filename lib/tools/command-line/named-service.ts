import { readFileSync } from 'node:fs';
import { addressError } from '../../runtime/address.ts';
import { type JsonObject, parseObject } from '../../runtime/json.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';

/** A service that the options `--service`, `--auth` and `--secret` name. */
export type NamedService = {
  readonly serviceUrl: string;
  readonly authUrl: string;
  /** The content of the client's secret. */
  readonly clientSecret: JsonObject;
};

/** The options that `--service` needs. */
export const accessOptions = {
  auth: {
    type: 'string',
    value: '<url>',
    about: 'With --service: the address of the identity provider. TokenPath is the path of its token endpoint.',
  },
  secret: { type: 'string', value: '<file>', about: "With --service: the client's secret, as in Secrets Manager." },
} as const;

const readSecret = (file: string): Result<JsonObject, string> => {
  try {
    const secret = parseObject(readFileSync(file, 'utf8'));
    return secret === undefined ? fail('--secret must name a file with a JSON object.') : ok(secret);
  } catch {
    return fail(`--secret: ${file} is not readable.`);
  }
};

/** Returns the service that the options name. The failure is one sentence. */
export const readNamedService = (
  service: string,
  { auth, secret }: Readonly<Record<string, unknown>>,
): Result<NamedService, string> => {
  if (typeof auth !== 'string' || typeof secret !== 'string') return fail('--service needs --auth and --secret.');
  for (const [name, address] of Object.entries({ service, auth })) {
    const error = addressError(address);
    if (error !== undefined) return fail(`--${name} ${error}.`);
  }
  const clientSecret = readSecret(secret);
  return clientSecret.ok ? ok({ serviceUrl: service, authUrl: auth, clientSecret: clientSecret.value }) : clientSecret;
};
