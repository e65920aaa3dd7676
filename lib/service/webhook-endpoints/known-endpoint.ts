import { holds } from '../../contract/if-match.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Endpoint } from '../../events/endpoint.ts';
import { readEndpoint } from '../../store/events/endpoints.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Call } from '../../contract/port.ts';
import { endpointDisabled, endpointNotFound } from './endpoint-failures.ts';
import { versionMismatch } from '../../execution/failures.ts';

/** An endpoint as the caller saw it last, where the caller says which version that was. */
export const readSeen = async (
  session: Session,
  endpointId: string,
  { ifMatch }: Pick<Call, 'ifMatch'>,
): Promise<Result<Endpoint>> => {
  const endpoint = await readEndpoint(session, endpointId);
  if (endpoint === undefined) return fail(endpointNotFound);
  return holds(ifMatch, endpoint.version) ? ok(endpoint) : fail(versionMismatch(endpoint.version, 'endpoint'));
};

/** An endpoint that events may be sent to. */
export const readEnabled = async (session: Session, endpointId: string): Promise<Result<Endpoint>> => {
  const endpoint = await readEndpoint(session, endpointId);
  if (endpoint === undefined) return fail(endpointNotFound);
  return endpoint.disabled === undefined ? ok(endpoint) : fail(endpointDisabled);
};
