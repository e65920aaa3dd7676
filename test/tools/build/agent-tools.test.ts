import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { contract } from '../../../lib/contract/contract.ts';
import { isCommandTool } from '../../../lib/contract/service/agent-tools.ts';
import { closed, Instant, oneOf, text } from '../../../lib/contract/scalars.ts';
import { agentTools } from '../../../lib/tools/build/agent-tools.ts';
import { readAdapter } from '../../../lib/tools/template/adapters/read-adapter.ts';
import { callableOffer, offers } from '../../../lib/tools/template/offer.ts';

/** Returns where the answer of a tool with this schema has texts of people and shops. */
const foreignTextsOf = (answers: Type.TObject) => {
  const entries = { getReturn: { ...contract.getReturn, answers } };
  const [tool] = agentTools({ ...offers.standalone, entries });
  return tool?.foreignTexts;
};

describe('texts of people and shops in an answer', () => {
  it('are texts that may have a space, in objects, lists, unions and open records', () => {
    const answers = closed({
      id: Type.String({ pattern: '^[a-z0-9]{5}$' }),
      status: oneOf('open', 'ended'),
      at: Instant,
      note: text(100),
      code: text(100),
      lines: Type.Array(closed({ sku: text(40), quantity: Type.Integer() })),
      either: Type.Union([closed({ a: text(5) }), closed({ b: Type.Integer() })]),
      metadata: Type.Record(Type.String(), Type.String()),
      anything: Type.Unknown(),
      source: closed({ code: text(40) }),
    });
    expect(foreignTextsOf(answers)).toEqual({
      note: 'text',
      lines: [{ sku: 'text' }],
      either: { a: 'text' },
      metadata: { '*': 'text' },
      anything: 'text',
      source: { code: 'text' },
    });
  });

  it('are absent from an answer of ids, numbers and words of ours', () => {
    expect(foreignTextsOf(closed({ status: oneOf('a', 'b'), count: Type.Integer() }))).toBeUndefined();
  });
});

describe('tools of an adapter', () => {
  it('are those of its operations, without If-Match and without a creation that nothing rehearses', async () => {
    const read = await readAdapter('devolucoes');
    if (!read.ok) throw new Error(read.failure);
    const { offer } = read.value;
    const tools = agentTools(callableOffer(offer));
    const names = tools.map(({ operation }) => operation.name);
    expect(offer.entries).toHaveProperty('createReturn');
    expect(names).not.toContain('createReturn');
    expect(names).toEqual(expect.arrayContaining(['getReturn', 'listReturns', 'approve']));
    expect(names.filter((name) => !Object.hasOwn(offer.entries, name))).toEqual([]);
    const commands = tools.filter(isCommandTool).map(({ operation: { dryRun, ifMatch } }) => ({ dryRun, ifMatch }));
    expect(commands).toEqual(commands.map(() => ({ dryRun: false, ifMatch: 'ignored' })));
  });
});
