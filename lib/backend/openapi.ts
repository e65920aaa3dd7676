import document from '#contract/openapi.json' with { type: 'json' };
import { contractConfig } from '../config.ts';
import { ok, type Result } from '../contract/result.ts';
import type { Output } from '../contract/schemas.ts';
import type { Reply } from './port.ts';

const { issuer } = contractConfig();

/** The contract as OpenAPI, with the token endpoint of this deployment. Both ways tell their own. */
export const openapi = async (): Promise<Result<Reply<Output<'openapi'>>>> => {
  const body = structuredClone(document);
  body.components.securitySchemes.clientCredentials.flows.clientCredentials.tokenUrl = `${issuer}/connect/token`;
  return ok({ status: 200, body });
};
