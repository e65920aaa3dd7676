import {
  fromJsonSchema,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import generated from '#contract/agent-tools.json' with { type: 'json' };
import { opaqueIdPattern } from '../../contract/request-path.ts';
import { type AgentTool, isCommandTool } from '../../contract/service/agent-tools.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { type AgentVisit, callApi } from './call-api.ts';
import { decideReturn, instructions, prepareRefunds, resourceScheme, resources } from './guides.ts';
import { answerForAgent, errorForAgent } from './results.ts';
import { callTool, type ToolSettings } from './tools.ts';

/* The server that the SDK runs: one for each request, because no request depends on another. */

const tools = generated as unknown as readonly AgentTool[];

const toolNamed = (name: string): AgentTool | undefined => tools.find(({ operation }) => operation.name === name);

/** The parameters of a call of a tool. */
type ToolCall = { readonly name?: unknown; readonly arguments?: JsonObject; readonly inputResponses?: unknown };

/** Returns whether a call of a tool sends a command: it has a confirmation, and the answer of a person who is asked. */
export const sendsCommand = (
  { name, arguments: given, inputResponses }: ToolCall,
  { asksPerson }: Pick<ToolSettings, 'asksPerson'>,
): boolean => {
  const tool = typeof name === 'string' ? toolNamed(name) : undefined;
  if (tool === undefined || !isCommandTool(tool) || given?.['confirmation'] === undefined) return false;
  return !(asksPerson && tool.confirmedByPerson) || inputResponses !== undefined;
};

/** The service validates every input, so the SDK need not compile a validator of its own for each request. */
const unchecked: jsonSchemaValidator = {
  getValidator:
    <Value>(): JsonSchemaValidator<Value> =>
    (value) => ({ valid: true, data: value as Value, errorMessage: undefined }),
};

const schemaOf = (schema: JsonObject) => fromJsonSchema<JsonObject>(schema, unchecked);

const confirmation = {
  type: 'string',
  description: 'The id that the rehearsal answered. Without it, the call changes nothing and answers what would change',
};

/** The input of a tool. A command also takes a confirmation. */
const inputOf = (tool: AgentTool): JsonObject =>
  isCommandTool(tool)
    ? { ...tool.input, properties: { ...(tool.input['properties'] as JsonObject), confirmation } }
    : tool.input;

/** Takes an unexpected error. The SDK would answer its message, which may name accounts and tables. */
type OnError = (error: unknown) => void;

const reporting = async <Value>(onError: OnError, run: () => Promise<Value>): Promise<Value> => {
  try {
    return await run();
  } catch (error) {
    onError(error);
    throw error;
  }
};

const registerTools = (server: McpServer, visit: AgentVisit, settings: ToolSettings, onError: OnError): void => {
  for (const tool of tools) {
    const { name, summary } = tool.operation;
    const isCommand = isCommandTool(tool);
    server.registerTool(
      name,
      {
        title: summary,
        description: tool.description,
        inputSchema: schemaOf(inputOf(tool)),
        // A repeat of a confirmed call has no further effect, because the confirmation is its key.
        annotations: {
          readOnlyHint: !isCommand,
          ...(isCommand && { destructiveHint: tool.confirmedByPerson, idempotentHint: true }),
          openWorldHint: false,
        },
      },
      async (given, { mcpReq }) =>
        reporting(onError, async () => callTool(tool, given, mcpReq.inputResponses, visit, settings)),
    );
  }
};

const registerResources = (
  server: McpServer,
  visit: AgentVisit,
  { consoleUrl }: ToolSettings,
  onError: OnError,
): void => {
  for (const { kind, operation, field, title } of resources) {
    const tool = toolNamed(operation);
    if (tool === undefined) continue;
    const template = new ResourceTemplate(`${resourceScheme}://${kind}/{${field}}`, { list: undefined });
    server.registerResource(kind, template, { title, mimeType: 'application/json' }, async (uri, variables) => {
      const answer = await reporting(onError, async () =>
        callApi(visit, tool.operation, { [field]: variables[field] }),
      );
      const content = answer.ok ? answerForAgent(tool, answer.value, consoleUrl) : errorForAgent(answer.failure);
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(content) }] };
    });
  }
};

/** An id of any service. Nothing else of a prompt comes from outside. */
const idPattern = new RegExp(opaqueIdPattern);

const promptOf = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});

const returnArguments = {
  type: 'object',
  properties: { returnId: { type: 'string', description: 'The id of the return' } },
  required: ['returnId'],
};

const registerPrompts = (server: McpServer): void => {
  server.registerPrompt(
    'decideReturn',
    {
      title: 'Decide a return',
      description: 'Reads a return with its decision, and proposes to approve, reject or ask',
      argsSchema: schemaOf(returnArguments),
    },
    ({ returnId }) => {
      if (typeof returnId !== 'string' || !idPattern.test(returnId))
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'returnId must be the id of a return, such as ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
        );
      return promptOf(decideReturn(returnId));
    },
  );
  server.registerPrompt(
    'prepareRefunds',
    {
      title: 'Prepare the refunds that are due',
      description: 'Lists the refunds that are due with amount and deadline, and pays those that a person names',
    },
    () => promptOf(prepareRefunds),
  );
};

/** No list changes while a client reads it, so no client waits for that. */
const unchanging = { listChanged: false };

/**
 * Creates the server of one request.
 *
 * @param onError takes the unexpected error of a tool or a resource: the answer of the server must not leave then
 */
export const createServer = (
  visit: AgentVisit,
  settings: Omit<ToolSettings, 'getReturn'>,
  onError: OnError,
): McpServer => {
  const getReturn = toolNamed('getReturn')?.operation;
  if (getReturn === undefined) throw new Error('the deployment does not offer getReturn');
  const server = new McpServer({ name: 'returns', version: '1' }, { instructions, capabilities: {} });
  const all = { ...settings, getReturn };
  registerTools(server, visit, all, onError);
  registerResources(server, visit, all, onError);
  registerPrompts(server);
  server.server.registerCapabilities({ tools: unchanging, resources: unchanging, prompts: unchanging });
  return server;
};
