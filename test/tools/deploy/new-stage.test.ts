import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { templateWithoutCode } from '../../../lib/tools/deploy/stage-template.ts';
import type { Template } from '../../../lib/tools/template/cloudformation/template.ts';
import { offers } from '../../../lib/tools/template/offer.ts';
import { packagedTemplate } from '../../support/bundles.ts';

const stage = `new-${process.pid}`;
const file = `lib/tools/deploy/stages/${stage}.json`;
afterEach(() => rmSync(file, { force: true }));

/** Runs `npm run deploy` without npm and without credentials. */
const deploy = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['lib/tools/deploy/deploy-command.ts', '--stage', stage, ...args],
    { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: '/nonexistent' } },
  );
  return { status, stdout, stderr };
};

const required = ['ServiceUrl', 'AuthUrl', 'TokenIssuer', 'TokenAudience'];

describe('a new stage', () => {
  it('begins with a file that explains each parameter, and whose check names each value to set', () => {
    expect(deploy('--check').stderr).toContain(
      `To write it: npm run deploy -- --stage ${stage} --init --mode connected (or standalone).`,
    );
    const written = deploy('--init', '--mode', 'connected', '--region', 'eu-west-1');
    expect(written).toMatchObject({ status: 0, stdout: expect.stringContaining(`${file} is written.`) });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"// ServicePath": "Default: /v1. Path below ServiceUrl');
    const unset = deploy('--check');
    expect(unset.status).toBe(2);
    for (const name of required)
      expect(unset.stderr).toMatch(new RegExp(`parameter ${name}: (is required|must not be empty)\\.`));
    expect(unset.stderr).toContain(`${file} has 4 errors. Nothing is deployed.`);
    const set = required.reduce(
      (current, name) => current.replace(`"${name}": ""`, `"${name}": "https://${name.toLowerCase()}.example"`),
      text.replace('"// ServicePath"', '"ServicePath": "/rma/v3",\n    "// ServicePath"'),
    );
    writeFileSync(file, set);
    const { status, stdout } = deploy('--check');
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining('Operations are at https://serviceurl.example/rma/v3/…'),
    });
    expect(stdout).toContain(`${file} has no errors.`);
  });

  it.each([
    ['no mode', ['--init'], '--init needs --mode connected or --mode standalone.'],
    ['an unknown mode', ['--init', '--mode', 'both'], '--mode must be connected or standalone.'],
    ['an unknown region', ['--init', '--mode', 'connected', '--region', 'Lisbon'], '--region must be a region of AWS'],
    ['an unknown adapter', ['--init', '--mode', 'connected', '--adapter', 'nobody'], '--adapter: '],
    [
      'an adapter of the standalone mode',
      ['--init', '--mode', 'standalone', '--adapter', 'medusa'],
      '--adapter is for the connected mode.',
    ],
  ])('is not written with %s', (_, args, message) => {
    expect(deploy(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(file)).toBe(false);
  });

  it('has the parameters of its adapter', () => {
    expect(deploy('--init', '--mode', 'connected', '--adapter', 'medusa')).toMatchObject({ status: 0, stderr: '' });
    const { adapter, region, parameters } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    expect({ adapter, region }).toEqual({ adapter: 'medusa', region: '' });
    expect(Object.keys(parameters as object)).toEqual(
      expect.arrayContaining(['// ServiceUrl', '// ClientAuthentication']),
    );
    expect(Object.keys(parameters as object)).not.toContain('// Console');
  });

  it('does not replace a file', () => {
    writeFileSync(file, '{}');
    expect(deploy('--init', '--mode', 'standalone')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${file} exists already. --init changes no file.`),
    });
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });
});

it.each(['mode', 'adapter', 'region'])('an existing stage takes no --%s, because its file has it', (option) => {
  writeFileSync(file, JSON.stringify({ mode: 'standalone', region: 'eu-west-1', parameters: {} }));
  expect(deploy('--check', `--${option}`, 'connected')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`--${option} is for --init. The file of a stage has its ${option}.`),
  });
});

/** The parts of a template that a check of values reads. */
const readByCheck = ({ Parameters, Resources }: Template) => ({
  Parameters,
  environments: Object.entries(Resources).map(([id, { Properties }]) => [id, Properties?.['Environment']]),
});

it.each(['connected', 'standalone'] as const)(
  'a check of the %s mode reads the same as in a whole package',
  async (mode) => {
    expect(readByCheck(await templateWithoutCode(offers[mode]))).toEqual(readByCheck(await packagedTemplate(mode)));
  },
);
