import { describe, expect, it } from 'vitest';
import { packaged } from '../../support/roles.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate } from '../../support/bundles.ts';

/*
 * The inline policies of a role have at most 10,240 characters, white space not counted. Names of a deployment are
 * longer than those of the local stack, so the sizes are those of the worst case.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */

const limit = 10_240;

const longestStage = 's'.repeat(30);
const longestTable = 't'.repeat(255);
const table = `arn:aws:dynamodb:eu-central-1:000000000000:table/${longestTable}`;
/** A key of several regions has the longest id. */
const key = 'arn:aws:kms:eu-central-1:000000000000:key/mrk-00000000000000000000000000000000';
const hook = `arn:aws:lambda:eu-central-1:000000000000:function:${'h'.repeat(64)}:${'a'.repeat(128)}`;

/** The options that make policies longer, besides those that `packaged` turns on. */
const options = {
  Stage: longestStage,
  KmsKeyArn: key,
  HistoryKmsKeyArn: key,
  SharedTokenKmsKeyArn: key,
  RotationHookArn: hook,
  Tracing: 'xray',
};

const adopted = { ExistingTable: longestTable, ExistingTableStreamArn: `${table}/stream/2026-01-01T00:00:00.000` };

/** Lengthens names as AWS does: the longest partition and region, the stage in generated names, and their suffix. */
const asDeployed = (text: string): string =>
  text
    .replaceAll('arn:aws:', 'arn:aws-us-gov:')
    .replaceAll('eu-central-1', 'us-gov-west-1')
    .replaceAll(/returns-(?:standalone|connected)-(\w+)/gi, `returns-${longestStage}-$1-0123456789ABC`);

type Policy = { readonly PolicyDocument: object };

const sizesOf = async (mode: Mode, changes: Readonly<Record<string, string>>) =>
  (await packaged(mode, { ...options, ...changes })).ofType('AWS::IAM::Role').map(({ logicalId, properties }) => {
    const policies = (properties['Policies'] ?? []) as readonly Policy[];
    const text = asDeployed(policies.map(({ PolicyDocument }) => JSON.stringify(PolicyDocument)).join(''));
    return [logicalId, text.replaceAll(/\s/g, '').length] as const;
  });

describe.each(modes)('inline policies of the %s mode', (mode) => {
  it.each([
    ['its own table', {}],
    ['an adopted table with the longest name', adopted],
  ])('stay below the size limit of IAM with all options, the longest stage and %s', async (_, changes) => {
    const sizes = await sizesOf(mode, changes);
    expect(sizes.length).toBeGreaterThan(20);
    expect(sizes.filter(([, size]) => size > limit)).toEqual([]);
  });

  it('have the longest names that the parameters permit', async () => {
    const { Parameters = {} } = await packagedTemplate(mode);
    const accepts = (parameter: string, value: string) =>
      new RegExp(`^(?:${Parameters[parameter]?.AllowedPattern})$`).test(value);
    for (const [parameter, value] of [
      ['Stage', longestStage],
      ['ExistingTable', longestTable],
    ] as const)
      expect([accepts(parameter, value), accepts(parameter, `${value}x`)]).toEqual([true, false]);
  });
});
