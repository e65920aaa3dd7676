import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { isObject, type JsonObject } from '../../../lib/runtime/json.ts';
import { tokenOf } from '../../support/api.ts';
import { record } from '../../support/emitted/record.ts';
import { stack } from '../../support/stack.ts';

/* An agent: the client of the official SDK, at the endpoint of a mode. */

/** The last revision with a handshake, and the first without one. */
export type Era = 'handshake' | 'stateless';

export type ToolAnswer = { readonly isError: boolean; readonly body: JsonObject; readonly text: string };

/** What a person answers to a question of the server. */
export type PersonAnswer = { readonly action: 'accept' | 'decline'; readonly agree?: boolean };

type AgentOptions = {
  readonly url?: string;
  readonly token?: string;
  readonly clientId?: string;
  readonly era?: Era;
  readonly person?: PersonAnswer;
  /** Sends requests. @default over HTTP */
  readonly fetch?: (input: URL | string, init?: RequestInit) => Promise<Response>;
};

/** Connects an agent until the test ends. */
export const openAgent = async (
  mode: Mode,
  { url = stack()[mode].url, token, clientId = 'returns-admin', era = 'stateless', person, fetch }: AgentOptions = {},
) => {
  const authorization = `Bearer ${token ?? (await tokenOf(clientId))}`;
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: era === 'stateless' ? { pin: '2026-07-28' } : 'legacy' },
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
    },
  );
  const questions: string[] = [];
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return person.action === 'accept'
        ? { action: 'accept', content: { agree: person.agree ?? true } }
        : { action: 'decline' };
    });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization } },
    ...(fetch !== undefined && { fetch }),
  });
  await client.connect(transport);
  onTestFinished(async () => client.close());
  const call = async (name: string, given: JsonObject = {}): Promise<ToolAnswer> => {
    const { structuredContent, isError = false, content } = await client.callTool({ name, arguments: { ...given } });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    record('answer', text);
    if (!isObject(structuredContent)) throw new Error(`${name} has no structured answer: ${text}`);
    return { isError, body: structuredContent, text };
  };
  return { client, questions, call };
};

export type Agent = Awaited<ReturnType<typeof openAgent>>;

/** Rehearses a command, and returns the id of its confirmation. */
export const rehearsed = async ({ call }: Agent, name: string, given: JsonObject): Promise<string> => {
  const { body, text } = await call(name, given);
  if (body['status'] !== 'rehearsed') throw new Error(`${name} was not rehearsed: ${text}`);
  return String(body['confirmation']);
};

/** Calls a command twice, as an agent does after a person has agreed. */
export const carryOut = async (agent: Agent, name: string, given: JsonObject): Promise<ToolAnswer> =>
  agent.call(name, { ...given, confirmation: await rehearsed(agent, name, given) });
