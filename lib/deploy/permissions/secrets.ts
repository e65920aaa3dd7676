import { actionsOn, type Permission } from './permission.ts';

/** A secret outside of this stack, by the parameter with its name. Its ARN ends with six characters of AWS. */
const namedSecret = (parameter: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:\${${parameter}}-??????`,
});

export const readClientSecret = actionsOn('secretsmanager', namedSecret('ClientSecretId'))('GetSecretValue');
/** The secrets of the shops below a name, one a platform. */
const shopSecrets = (half: 'webhooks' | 'api') =>
  actionsOn('secretsmanager', {
    'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:\${PlatformSecrets}/${half}/*`,
  })('GetSecretValue');
/** What deliveries are believed by, and the front. */
export const readWebhookSecrets = shopSecrets('webhooks');
/** The tokens that shops are asked with: nothing that is open to the world reads them. */
export const readShopTokens = shopSecrets('api');
export const readSigningSecret = actionsOn('secretsmanager', { Ref: 'SigningSecret' })('GetSecretValue');

const historyKeyCondition = 'KeysHistoryByKey';
/** The keys of histories: who has them can forge one. They are under a key of one's own where the template is given one. */
export const readHistoryKeys: readonly Permission[] = [
  actionsOn('secretsmanager', { Ref: 'HistoryKeys' })('GetSecretValue'),
  { ...actionsOn('kms', { Ref: 'HistoryKmsKeyArn' })('Decrypt'), condition: historyKeyCondition },
];

/** Resources and functions that are there only where containers share their tokens, under a key of one's own or not. */
export const sharedTokenCondition = 'SharesTokens';
const sharedTokenKeyCondition = 'SharesTokensByKey';

/** A token that all containers share is under a key of one's own where the template is given one. */
const onSharedTokenKey = (...names: readonly string[]): Permission => ({
  ...actionsOn('kms', { Ref: 'SharedTokenKmsKeyArn' })(...names),
  condition: sharedTokenKeyCondition,
});
type SharedToken = 'SharedReadToken' | 'SharedWriteToken' | 'SharedAdminToken';
const onSharedToken = (token: SharedToken, ...names: readonly string[]): Permission => ({
  ...actionsOn('secretsmanager', { Ref: token })(...names),
  condition: sharedTokenCondition,
});
export const readSharedTokens = (...tokens: readonly SharedToken[]): readonly Permission[] => [
  ...tokens.map((token) => onSharedToken(token, 'GetSecretValue')),
  onSharedTokenKey('Decrypt'),
];
/** It alone writes them. */
export const refreshSharedTokens = [
  ...(['SharedReadToken', 'SharedWriteToken', 'SharedAdminToken'] as const).map((token) =>
    onSharedToken(token, 'GetSecretValue', 'PutSecretValue'),
  ),
  onSharedTokenKey('Decrypt', 'GenerateDataKey'),
];
