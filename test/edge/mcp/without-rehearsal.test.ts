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

/** Returns the calls of `addNote` on a new return, without a rehearsal by the service. */
const openCase = async () => {
  useEngine(stack().aws.dynamodb);
  const service = api('standalone');
  const { id: returnId } = await createReturn(service);
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
  const given = { returnId, text: 'Once' };
  const call = async (more: JsonObject = {}) => {
    const tool = toolWithoutRehearsal('addNote');
    const { structuredContent } = await callTool(tool, { ...given, ...more }, undefined, visit, settings);
    return structuredContent as JsonObject;
  };
  const notes = async () => ((await service.get(`/returns/${returnId}`)).body as unknown as JsonObject)['notes'];
  return { service, returnId, given, call, notes };
};

describe('a command that no service rehearses', () => {
  it('shows the return and the request first, and is sent once', async () => {
    const { returnId, given, call, notes } = await openCase();
    const first = await call();
    expect(first).toMatchObject({ status: 'rehearsed', request: given, current: { answer: { returnId } } });
    expect(first).not.toHaveProperty('wouldBe');
    expect(await notes()).toEqual([]);
    const { confirmation } = first;
    for (const _ of ['first', 'again']) expect(memberOf(await call({ confirmation }), 'status')).toBe('done');
    expect(await notes()).toHaveLength(1);
  });

  it('is not sent after the return has changed', async () => {
    const { service, returnId, call, notes } = await openCase();
    const { confirmation } = await call();
    await service.post(`/returns/${returnId}/approve`, {});
    expect(await call({ confirmation })).toMatchObject({ error: { code: 'version_mismatch' } });
    expect(await notes()).toEqual([]);
  });
});
