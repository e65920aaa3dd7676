import { buildCredentials } from '../../../access/oauth/client-credentials.ts';
import type { ClientSecret } from '../../../access/oauth/client-secret.ts';
import type { Secret } from '../../../access/secrets/secret.ts';
import type { SecretSource } from '../../../access/secrets/source.ts';
import { type Check, type Part, skipped, type CheckContext } from '../check.ts';
import { apiChecks, checkApi } from './api.ts';
import { certificateChecks, checkCertificate } from './certificate.ts';
import { checkConfiguration, type Configuration, type Settings } from './configuration.ts';
import { checkSecret, secretChecks } from './secret.ts';
import { checkToken, tokenChecks } from './token.ts';

/** The input of the checks of the access. */
export type Access = {
  readonly settings: Settings;
  /** A source that has read nothing yet, so that no row shows a cached value. */
  readonly source: SecretSource;
  /** How to check the service, after its token. @default by the contract */
  readonly service?: ServiceChecks;
};

/** The input of a check of the service. */
type ServiceInput = Parameters<typeof checkApi>[0] & Pick<CheckContext, 'end'>;

/** Checks what the service answers. */
export type CheckService = (input: ServiceInput) => Promise<readonly Check[]>;

type ServiceChecks = { readonly rows: readonly string[]; readonly check: CheckService };

const byContract: ServiceChecks = { rows: apiChecks, check: checkApi };

type Configured = CheckContext & {
  readonly source: SecretSource;
  readonly configuration: Configuration;
  readonly service: ServiceChecks;
};

const checkEndpoints = async (
  { configuration, service, clock, signal, traceId, end }: Configured,
  secret: Secret,
  fields: ClientSecret,
): Promise<readonly Check[]> => {
  const { serviceUrl, authUrl, serviceAccess } = configuration;
  const credentials = buildCredentials(secret, undefined, { authUrl, serviceAccess, clock, onEvent: () => undefined });
  const addressedBy = fields.authUrl === undefined ? 'AUTH_URL' : 'authUrl in the secret';
  try {
    const { checks, value: token } = await checkToken({ credentials, addressedBy, signal, clock });
    if (signal.aborted) return [...checks, ...skipped(service.rows, 'the time ran out')];
    const input = { serviceUrl, fields, credentials, token, traceId, signal, clock, end };
    return [...checks, ...(await service.check(input))];
  } finally {
    await credentials.agent.end();
  }
};

const checkAccess = async (configured: Configured): Promise<readonly Check[]> => {
  const { configuration, source, service, signal, clock } = configured;
  const { serviceUrl, clientSecretId } = configuration;
  const found = await checkSecret({ source, secretId: clientSecretId, signal });
  if (found.value === undefined) {
    const rest = [...certificateChecks, ...tokenChecks, ...service.rows];
    return [...found.checks, ...skipped(rest, 'the secret has no usable credentials')];
  }
  const { secret, fields } = found.value;
  const pair = checkCertificate(fields, { expected: serviceUrl.startsWith('https:'), now: clock.now() });
  if (pair.value === undefined) {
    const rest = [...tokenChecks, ...service.rows];
    return [...found.checks, ...pair.checks, ...skipped(rest, 'the certificate is unusable')];
  }
  const endpoints = signal.aborted
    ? skipped([...tokenChecks, ...service.rows], 'the time ran out')
    : await checkEndpoints(configured, secret, fields);
  return [...found.checks, ...pair.checks, ...endpoints];
};

/**
 * Repeats the steps of a function's call against the real endpoints. Changes nothing. Requests at most one token for
 * each set of scopes.
 */
export const accessPart = ({ settings, source, service = byContract }: Access): Part => ({
  name: 'access',
  run: async (underway) => {
    const { checks, value: configuration } = checkConfiguration(settings);
    const rest =
      configuration === undefined
        ? skipped(
            [...secretChecks, ...certificateChecks, ...tokenChecks, ...service.rows],
            'the configuration is incomplete',
          )
        : await checkAccess({ ...underway, source, configuration, service });
    return [...checks, ...rest];
  },
});
