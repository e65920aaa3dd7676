import document from '#contract/openapi.json' with { type: 'json' };
import type { Input, Output } from '../../contract/contract.ts';
import { openapi as operation } from '../../contract/operations.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { ok } from '../../runtime/result.ts';
import { contractConfig } from '../../runtime/configuration/edge-config.ts';
import { configured } from '../../runtime/container.ts';
import { addressOf } from './address.ts';

const config = configured(contractConfig);

/**
 * Returns the contract as OpenAPI, with this deployment's token endpoint and the address of the call. Each mode serves
 * its own document. In a direct invocation the server stays relative.
 */
export const openapi = async (_: Input<'openapi'>, { target }: Call): Promise<Result<Reply<Output<'openapi'>>>> => {
  const body = structuredClone(document);
  body.components.securitySchemes.clientCredentials.flows.clientCredentials.tokenUrl = `${config().issuer}/connect/token`;
  const address = addressOf(operation, target);
  if (address !== undefined)
    for (const server of body.servers) server.url = `${address.protocol}://${address.host}${address.pathname}`;
  return ok({ status: 200, body });
};
