import { rowsOf } from '../functions.ts';
import type { Mode, RotationTrigger } from '../functions/function-row.ts';
import { capitalised, liveArn, type Resource, type TemplatePart, underCondition } from './cloudformation.ts';
import type { Offer } from '../offer.ts';

type Resources = Readonly<Record<string, Resource>>;

/** The parameters of rotations, by mode. A cursor lives at most 30 days, so KeyRotationDays is no shorter. */
const rotationParameters: Readonly<Record<Mode, Readonly<Record<string, object>>>> = {
  connected: {
    ClientSecretRotationDays: {
      Type: 'String',
      Default: '0',
      AllowedPattern: '0|[1-9][0-9]{0,2}|1000',
      Description: 'Days between two rotations of the client secret, which need RotationHookArn; 0 rotates none',
    },
    RotationHookArn: {
      Type: 'String',
      Default: '',
      AllowedPattern: '(arn:[a-z-]+:lambda:[a-z0-9-]+:[0-9]{12}:function:[A-Za-z0-9_-]{1,64}(:[A-Za-z0-9_-]{1,128})?)?',
      Description: 'ARN of your Lambda function that creates client secrets at the issuer',
    },
  },
  standalone: {
    KeyRotationDays: {
      Type: 'String',
      Default: '0',
      AllowedPattern: '0|3[0-9]|[4-9][0-9]|[1-9][0-9]{2}|1000',
      Description:
        'Days between two rotations of the keys of cursors, histories, receipts, the search and the page for withdrawals, 30 to 1000; 0 rotates none',
    },
  },
};

/** The condition of the rotation of a secret that does not always exist. */
const rotates = (secret: string): string => `Rotates${secret}`;

/** Returns the conditions of a rotation, and of its secrets that do not always exist. */
const conditionsOf = ({ days, conditions = {} }: RotationTrigger, condition: string): readonly [string, object][] => [
  [condition, { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: days }, '0'] }] }],
  ...Object.entries(conditions).map(([id, own]): [string, object] => [
    rotates(id),
    { 'Fn::And': [{ Condition: condition }, { Condition: own }] },
  ]),
];

/**
 * Returns the schedules by which Secrets Manager rotates secrets. A new schedule does not rotate at once: Secrets Manager
 * runs the test of the function instead.
 */
const rotationResources = (
  name: string,
  { days, secrets, conditions }: RotationTrigger,
  condition: string,
): Resources => ({
  [`${capitalised(name)}Permission`]: {
    Type: 'AWS::Lambda::Permission',
    ...underCondition(condition),
    Properties: {
      FunctionName: liveArn(name),
      Action: 'lambda:InvokeFunction',
      Principal: 'secretsmanager.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
    },
  },
  ...Object.fromEntries(
    Object.entries(secrets).map(([id, secret]) => [
      `${id}Rotation`,
      {
        Type: 'AWS::SecretsManager::RotationSchedule',
        DependsOn: `${capitalised(name)}Permission`,
        ...underCondition(conditions?.[id] === undefined ? condition : rotates(id)),
        Properties: {
          SecretId: secret,
          RotationLambdaARN: liveArn(name),
          RotationRules: { AutomaticallyAfterDays: { Ref: days } },
          RotateImmediatelyOnUpdate: false,
        },
      },
    ]),
  ),
});

/** Returns the rotations of a mode, with their parameters and conditions. */
export const rotationTemplate = (offer: Offer): Required<Omit<TemplatePart, 'extensions' | 'Outputs'>> => {
  const rows = rowsOf(offer).flatMap(([name, { trigger, condition }]) =>
    trigger.kind === 'rotation' && condition !== undefined ? [{ name, trigger, condition }] : [],
  );
  return {
    Parameters: rotationParameters[offer.mode],
    Conditions: Object.fromEntries(rows.flatMap(({ trigger, condition }) => conditionsOf(trigger, condition))),
    Resources: Object.assign(
      {},
      ...rows.map(({ name, trigger, condition }) => rotationResources(name, trigger, condition)),
    ) as Resources,
  };
};
