import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { portsFromEnvironment } from '../../../lib/tools/local/ports.ts';
import { portVariable, readStartRequest, startCommand } from '../../../lib/tools/local/start-command.ts';

const variablesIn = (text: string): readonly string[] =>
  [...new Set(text.match(/\b(?:PORT_[A-Z_]+|HOST|RETURNS_ENGINE|AWS_ENDPOINT_URL_DYNAMODB)\b/g))].toSorted();

describe('npm start -- --help', () => {
  it('names every option and variable that the guides name', async () => {
    const request = await readStartRequest(['--help'], process.env);
    const help = request.kind === 'help' ? request.text : '';
    const names = ['HOST', 'RETURNS_ENGINE', 'AWS_ENDPOINT_URL_DYNAMODB'];
    const ports = Object.keys(portsFromEnvironment({})).map(portVariable);
    expect(variablesIn(help)).toEqual([...names, ...ports].toSorted());
    for (const guide of ['getting-started.md', 'pt/getting-started.md']) {
      const text = readFileSync(`lib/tools/guides/${guide}`, 'utf8');
      expect(variablesIn(text)).toEqual(variablesIn(help));
      const options = [...text.matchAll(/^\| `--([a-z-]+)/gm)].map(([, name = '']) => name);
      expect(options.toSorted()).toEqual(Object.keys(startCommand.options).toSorted());
    }
    expect(help).not.toContain('README');
  });

  it('promises reads for the first steps only, because later calls reach the service too', () => {
    expect(startCommand.options['service']?.about).toMatch(/ The first steps only read\.$/);
  });
});
