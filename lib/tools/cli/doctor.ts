import type { ClientOptions } from '../../access/client/public.ts';
import { notApplicable } from '../doctor/check.ts';
import { accessPart, type CheckService } from '../doctor/checks/access.ts';
import { apiChecks, checkApi } from '../doctor/checks/api.ts';
import { examine } from '../doctor/examine.ts';
import { systemClock } from '../../access/net/clock.ts';
import { newTraceId } from '../../runtime/new-ids.ts';
import { notFound, Secret, SecretUnavailable } from '../../access/secrets/secret.ts';
import type { SecretSource } from '../../access/secrets/source.ts';
import { formatReport } from '../doctor/report.ts';
import { exitCodes } from '../command-line/exit-codes.ts';
import { safeJson, safeLines } from './output/safe-text.ts';
import { resolveSettings } from './profiles/settings.ts';
import { type Session, untilAborted, usageError } from './session.ts';

const limitMs = 20_000;

type Source = SecretSource & { readonly close: () => Promise<void> };

/** The credentials of a profile as the doctor reads secrets. They have one version. */
const ownSource = (credentials: object): Source => {
  const secret = new Secret('of the profile', JSON.stringify(credentials));
  return {
    read: async (_id, { stage = 'AWSCURRENT' } = {}) => {
      if (stage !== 'AWSCURRENT') throw new SecretUnavailable(notFound);
      return secret;
    },
    isFresh: () => true,
    close: async () => undefined,
  };
};

const openSource = async (credentials: ClientOptions['credentials']): Promise<Source> =>
  'secretId' in credentials
    ? (await import('../../access/secrets/own-secrets.ts')).openSecrets()
    : ownSource(credentials);

/** Checks a service without a list of returns: the check sends no request without a token. */
const checkWithoutList: CheckService = async (input) =>
  (await checkApi({ ...input, token: undefined })).map((row) =>
    row.check === 'API read' ? notApplicable(row.check, 'the service offers no list of returns') : row,
  );

/**
 * Checks the access of a profile step by step, with the checks that the doctor of a deployment uses: addresses,
 * credentials, certificate, token, API.
 *
 * @param hasList whether the service offers `listReturns`
 * @returns the exit code
 */
export const runDoctor = async (session: Session, hasList: boolean): Promise<number> => {
  const { terminal, json, options, env, signal } = session;
  const resolved = await resolveSettings(options, env, signal);
  signal.throwIfAborted();
  if (!resolved.ok) return usageError(session, resolved.failure);
  const { serviceUrl, authUrl, access, credentials } = resolved.value;
  const clientSecretId = 'secretId' in credentials ? credentials.secretId : 'profile';
  const settings = { serviceUrl, authUrl, clientSecretId, access };
  const source = await openSource(credentials);
  try {
    const service = hasList ? {} : { service: { rows: apiChecks, check: checkWithoutList } };
    const parts = [accessPart({ settings, source, ...service })];
    const examination = examine({ parts, limitMs, clock: systemClock, traceId: newTraceId() });
    const report = await untilAborted(signal, examination);
    await terminal.print(json ? safeJson(report, 2) : safeLines(formatReport(report)));
    return report.status === 'failed' ? exitCodes.failed : exitCodes.ok;
  } finally {
    await source.close();
  }
};
