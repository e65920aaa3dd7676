import { describe, expect, it } from 'vitest';
import { withMappings } from '../../../lib/tools/build/adapter-sources.ts';

const source = `import { read } from './read.ts';
import type { Adapter } from '../adapter.ts';
const note = (text: string) => ({ text });
export const adapter: Adapter<'A', 'getReturn' | 'addNote'> = {
  name: 'acme',
  title: 'the service of ACME',
  probe: ({ send }) => send(ping),
  operations: {
    getReturn: { accepts: [], run: async ({ returnId }, service) => read(returnId, service) },
    addNote: { accepts: ['text'], run: async ({ text }) => note(text) },
  },
};
`;

describe('withMappings', () => {
  it('keeps the mappings of a function, and the names of the others', () => {
    const text = withMappings('adapter.ts', source, new Set(['getReturn']));
    expect(text).toContain('run: async ({ returnId }, service) => read(returnId, service)');
    expect(text).toContain('addNote: undefined');
    expect(text).not.toContain('note(text)');
  });

  it('keeps the probe for the health check only, and no text for documents', () => {
    const [read, health] = ['getReturn', 'health'].map((name) => withMappings('adapter.ts', source, new Set([name])));
    expect(read).toContain('probe: undefined');
    expect(health).toContain('probe: ({ send }) => send(ping)');
    for (const text of [read, health]) expect(text).not.toContain('ACME');
  });

  it('leaves a file in another form as it is', () => {
    const other = 'export const adapter = makeAdapter();';
    expect(withMappings('adapter.ts', other, new Set(['getReturn']))).toBe(other);
  });
});
