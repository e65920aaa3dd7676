import type { OperationName } from '../../contract/contract.ts';
import type { Scope } from '../../contract/operation.ts';
import { agentPath, agentScope, metadataPath } from '../../contract/service/agent-tools.ts';
import { capitalised, type TemplatePart } from './resources/cloudformation.ts';
import { type Offer, offersAll } from './offer.ts';
import { opened, securityOf } from './routes.ts';
import { address, servesConsole } from './token-parameters.ts';

/* The routes of agents on both APIs, and the parameters of the function `mcp`. */

/** The operations without which there is no function `mcp`: a rehearsal reads the return first. */
export const agentNeeds: readonly OperationName[] = ['getReturn'];

/** The condition under which the function exists. */
export const servesAgents = 'ServesAgents';
/** The condition of the routes for clients. The function has no client certificate, so it cannot call an API that asks for one. */
export const servesAgentClients = 'ServesAgentClients';
/** The condition of the routes for users. */
export const servesAgentUsers = 'ServesAgentUsers';

/** The methods besides POST get 405, as the protocol has it. */
const methods = ['GET', 'POST', 'DELETE'] as const;

/** The scopes of the routes with a token, by route key. */
export const agentRoutes: Readonly<Record<string, Scope>> = Object.fromEntries(
  methods.map((method) => [`${method} ${agentPath}`, agentScope]),
);

/** Returns the routes of agents under a condition, in a deployment that can have them. */
export const agentPaths = (offer: Offer, condition: string): Readonly<Record<string, object>> => {
  if (!offersAll(offer, agentNeeds)) return {};
  const served = (operations: object) => ({ 'Fn::If': [condition, operations, { Ref: 'AWS::NoValue' }] });
  const withToken = methods.map((method) => [
    method.toLowerCase(),
    { ...opened('mcp', `mcp${capitalised(method.toLowerCase())}`), security: securityOf(agentScope) },
  ]);
  return {
    [agentPath]: served(Object.fromEntries(withToken) as object),
    [metadataPath]: served({ get: opened('mcp', 'mcpMetadata') }),
    [`${metadataPath}${agentPath}`]: served({ get: opened('mcp', 'mcpMetadataOfPath') }),
  };
};

/** Returns the parameters of agents. */
export const agentTemplate = (): TemplatePart => ({
  Parameters: {
    Mcp: {
      Type: 'String',
      Default: 'off',
      AllowedValues: ['off', 'on'],
      Description:
        'Whether agents find tools at /mcp (Model Context Protocol): clients on the API unless TruststoreUri has a value, users on the API for browsers with Console on',
    },
    McpAsksPerson: {
      Type: 'String',
      Default: 'off',
      AllowedValues: ['off', 'on'],
      Description: 'Whether a person must confirm in their client what an agent pays or rejects',
    },
    McpCommandLimit: {
      Type: 'Number',
      Default: 60,
      MinValue: 1,
      MaxValue: 6000,
      Description: 'Commands that the agents of one client or user may send in a minute',
    },
    ConsoleUrl: {
      Type: 'String',
      Default: '',
      AllowedPattern: `(${address})?`,
      Description:
        'Address of the console for links in answers to agents of clients, such as https://shop.example/console',
    },
  },
  Conditions: {
    [servesAgents]: { 'Fn::Equals': [{ Ref: 'Mcp' }, 'on'] },
    [servesAgentClients]: {
      'Fn::And': [{ Condition: servesAgents }, { 'Fn::Equals': [{ Ref: 'TruststoreUri' }, ''] }],
    },
    [servesAgentUsers]: { 'Fn::And': [{ Condition: servesAgents }, { Condition: servesConsole }] },
  },
});
