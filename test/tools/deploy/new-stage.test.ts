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
    ['an unknown adapter', ['--init', '--mode', 'connected', '--adapter', 'nobody'], '--adapter: '],
  ])('is not written with %s', (_, args, message) => {
    expect(deploy(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(file)).toBe(false);
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
