import { describe, expect, it } from 'vitest';
import { defaultAgent } from '../../../lib/access/net/agent.ts';
import { contract } from '../../../lib/contract/contract.ts';
import { toOperation } from '../../../lib/contract/entry.ts';
import type { AgentTool } from '../../../lib/contract/service/agent-tools.ts';
import { callTool } from '../../../lib/edge/mcp/tools.ts';
import type { JsonObject } from '../../../lib/runtime/json.ts';
import { agentTools } from '../../../lib/tools/build/agent-tools.ts';
import { offers } from '../../../lib/tools/template/offer.ts';
import { api, tokenOf } from '../../support/api.ts';
import { createReturn } from '../../support/scenario.ts';
import { stack } from '../../support/stack.ts';
import { useEngine } from '../../support/use-engine.ts';
import { memberOf } from './member-of.ts';

/** The tool of a command as a deployment with an adapter has it. */
const toolWithoutRehearsal = (name: string): AgentTool => {
  const tool = agentTools(offers.standalone).find(({ operation }) => operation.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return { ...tool, operation: { ...tool.operation, dryRun: false, ifMatch: 'ignored' } };
};

describe('a command that no service rehearses', () => {
  it('shows the return and the request first, and is sent once', async () => {
    useEngine(stack().aws.dynamodb);
    const { id: returnId } = await createReturn(api('standalone'));
    const visit = {
      agent: defaultAgent(),
      origin: stack().standalone.url,
      domainName: new URL(stack().standalone.url).host,
      authorization: `Bearer ${await tokenOf('returns-admin')}`,
      caller: { clientId: 'returns-admin', scopes: [] },
      traceId: '1'.repeat(32),
      deadline: Date.now() + 60_000,
    };
    const getReturn = toOperation('getReturn', contract.getReturn);
    const settings = { consoleUrl: undefined, asksPerson: false, getReturn };
    const call = async (given: JsonObject) => {
      const { structuredContent } = await callTool(toolWithoutRehearsal('addNote'), given, undefined, visit, settings);
      return structuredContent as JsonObject;
    };
    const given = { returnId, text: 'Once' };
    const first = await call(given);
    expect(first).toMatchObject({ status: 'rehearsed', request: given, current: { answer: { returnId } } });
    expect(first).not.toHaveProperty('wouldBe');
    const notes = async () => (await api('standalone').get(`/returns/${returnId}`)).body as unknown as JsonObject;
    expect(await notes()).not.toHaveProperty('notes.0');
    const { confirmation } = first;
    for (const _ of ['first', 'again']) expect(memberOf(await call({ ...given, confirmation }), 'status')).toBe('done');
    expect((await notes())['notes']).toHaveLength(1);
  });
});
