import { describe, expect, it } from 'vitest';
import { parseCommandLine, type Command } from '../../lib/tools/command-line/command-line.ts';

const command: Command = {
  call: 'npm run something',
  about: 'Does something.',
  options: {
    fresh: { type: 'boolean', about: 'Forgets what was stored.' },
    'data-dir': { type: 'string', value: '<folder>', about: 'Where data is stored.' },
  },
};
const parse = (...args: readonly string[]) => parseCommandLine(command, args);

describe('command-line arguments', () => {
  it('are returned as values by option', () => {
    const values = { fresh: true, 'data-dir': 'here' };
    expect(parse('--fresh', '--data-dir', 'here')).toMatchObject({ kind: 'run', values, operands: [] });
    expect(parse('--fresh', '--data-dir=here')).toMatchObject({ kind: 'run', values });
  });

  it.each([
    [['--frsh'], 'Unknown option --frsh. Did you mean --fresh?'],
    [['--data-dri=x'], 'Unknown option --data-dri. Did you mean --data-dir?'],
    [['--colour'], 'Unknown option --colour. There are --fresh, --data-dir, --help.'],
    [['--__proto__'], 'Unknown option --__proto__. There are --fresh, --data-dir, --help.'],
    [['-f'], 'Unknown option -f. There are --fresh, --data-dir, --help.'],
    [['--fresh=yes'], '--fresh takes no value.'],
    [['--data-dir'], '--data-dir needs a value: --data-dir <folder>'],
    [['--data-dir='], '--data-dir needs a value: --data-dir <folder>'],
    [['fresh'], 'Unexpected argument fresh. Did you mean --fresh?'],
    [['x'], 'Unexpected argument x.'],
  ])('fail with one sentence: %j', (args, message) => {
    expect(parse(...args)).toEqual({ kind: 'wrong', message });
  });

  it('may be limited to a list of names', () => {
    const operands = { value: '[bench…]', about: 'Only these.', names: ['warm', 'token'] };
    const parseNames = (...args: readonly string[]) => parseCommandLine({ ...command, operands }, args);
    expect(parseNames('warm')).toMatchObject({ kind: 'run', operands: ['warm'] });
    expect(parseNames('wram')).toEqual({ kind: 'wrong', message: 'Unknown name wram. Did you mean warm?' });
  });

  it('may ask for help, which names every option and the exit codes', () => {
    const parsed = parse('--help', '--frsh');
    expect(parsed).toMatchObject({ kind: 'help' });
    const { text } = parsed as Extract<typeof parsed, { kind: 'help' }>;
    for (const part of ['npm run something', '--fresh', '--data-dir <folder>', '--help', '2 usage error'])
      expect(text).toContain(part);
  });
});
