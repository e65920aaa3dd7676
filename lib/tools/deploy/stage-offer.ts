import { parseFixedHeaders } from '../../runtime/service-access.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { keyHeaderOf } from '../template/adapters/derive-contract.ts';
import { type AdapterBuild, readAdapter } from '../template/adapters/read-adapter.ts';
import { type Offer, offers } from '../template/offer.ts';
import type { Stage } from './stage-file.ts';

/** Returns the headers in which the commands of an adapter have their idempotency keys, in lower case. */
const keyHeaders = ({ adapter }: AdapterBuild): readonly string[] =>
  Object.values(adapter.operations).flatMap((mapping) => keyHeaderOf(mapping)?.toLowerCase() ?? []);

/** Returns the error of a parameter that gives a header of idempotency keys to something else. */
const keyHeaderError = (build: AdapterBuild, parameters: Stage['parameters']): string | undefined => {
  const { ServiceHeaders = '', TokenHeader = '' } = { ...build.adapter.parameters, ...parameters };
  const taken: Readonly<Record<string, readonly string[]>> = {
    ServiceHeaders: Object.keys(parseFixedHeaders(ServiceHeaders) ?? {}),
    TokenHeader: [TokenHeader.toLowerCase()],
  };
  for (const [parameter, headers] of Object.entries(taken)) {
    const header = keyHeaders(build).find((name) => headers.includes(name));
    if (header !== undefined)
      return `parameter ${parameter}: must not name ${header}: the adapter ${build.adapter.name} sends idempotency keys in it.`;
  }
  return undefined;
};

/** Returns what the deployment of a stage offers, or the error of its adapter. */
export const offerOfStage = async ({ mode, adapter, parameters }: Stage): Promise<Result<Offer, string>> => {
  if (adapter === undefined) return ok(offers[mode]);
  const read = await readAdapter(adapter);
  if (!read.ok) return fail(`adapter: ${read.failure}`);
  const error = keyHeaderError(read.value, parameters);
  return error === undefined ? ok(read.value.offer) : fail(error);
};
