import type { Operation, Scope } from '../operation.ts';

/*
 * The operations as tools for agents, as lib/tools/build/agent-tools.ts makes them from the contract. The function `mcp`
 * contains them.
 */

/** Where agents find the tools. */
export const agentPath = '/mcp';

/** The scope without which a token reaches no tool. */
export const agentScope: Scope = 'returns:read';

/** Where clients find the issuer of tokens, because the gateway's 401 cannot name it (RFC 9728, 3.1). */
export const metadataPath = '/.well-known/oauth-protected-resource';

/** The part of JSON Schema that inputs of tools use. */
export type ToolSchema = { readonly [keyword: string]: unknown };

/**
 * Where an answer has texts that people or shops wrote: `text` for such a text, else the members of an object, with `*`
 * for all others, or the items of a list.
 */
export type ForeignTexts = 'text' | readonly [ForeignTexts] | { readonly [member: string]: ForeignTexts };

/** An operation as a tool. */
export type AgentTool = {
  readonly operation: Operation;
  /** What the operation does, and when an agent uses it. */
  readonly description: string;
  readonly input: ToolSchema;
  /** Whether a deployment may require that a person confirms it. */
  readonly confirmedByPerson: boolean;
  /** Absent for an answer without such texts. */
  readonly foreignTexts?: ForeignTexts;
};

/** Returns whether a tool changes something. Then its first call only rehearses it. */
export const isCommandTool = ({ operation }: AgentTool): boolean => operation.idempotencyKey;
