import { on, type Permission } from './permission.ts';

/** A secret that somebody else has made, by the parameter that names it: its ARN ends with six characters of AWS's. */
const namedSecret = (parameter: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:\${${parameter}}-??????`,
});

export const readClientSecret = on('secretsmanager', namedSecret('ClientSecretId'))('GetSecretValue');
/** The secrets of the shops below a name, one a platform. */
const shopSecrets = (half: 'webhooks' | 'api') =>
  on('secretsmanager', {
    'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:\${PlatformSecrets}/${half}/*`,
  })('GetSecretValue');
/** What deliveries are believed by, and the front. */
export const readProofs = shopSecrets('webhooks');
/** The tokens that shops are asked with: nothing that is open to the world reads them. */
export const readShopTokens = shopSecrets('api');
export const readSigningSecret = on('secretsmanager', { Ref: 'SigningSecret' })('GetSecretValue');

const whereHistoryByKey = 'KeysHistoryByKey';
/** The keys of histories: who has them can forge one. They are under a key of one's own where the template is given one. */
export const readHistoryKeys: readonly Permission[] = [
  on('secretsmanager', { Ref: 'HistoryKeys' })('GetSecretValue'),
  { ...on('kms', { Ref: 'HistoryKmsKeyArn' })('Decrypt'), condition: whereHistoryByKey },
];

/** Resources and functions that are there only where containers share their tokens, under a key of one's own or not. */
export const whereShared = 'SharesTokens';
const whereSharedByKey = 'SharesTokensByKey';

/** A token that all containers share is under a key of one's own where the template is given one. */
const onSharedKey = (...names: readonly string[]): Permission => ({
  ...on('kms', { Ref: 'SharedTokenKmsKeyArn' })(...names),
  condition: whereSharedByKey,
});
type SharedToken = 'SharedReadToken' | 'SharedWriteToken' | 'SharedAdminToken';
const onShared = (token: SharedToken, ...names: readonly string[]): Permission => ({
  ...on('secretsmanager', { Ref: token })(...names),
  condition: whereShared,
});
export const readShared = (...tokens: readonly SharedToken[]): readonly Permission[] => [
  ...tokens.map((token) => onShared(token, 'GetSecretValue')),
  onSharedKey('Decrypt'),
];
/** It alone writes them. */
export const refreshShared = [
  ...(['SharedReadToken', 'SharedWriteToken', 'SharedAdminToken'] as const).map((token) =>
    onShared(token, 'GetSecretValue', 'PutSecretValue'),
  ),
  onSharedKey('Decrypt', 'GenerateDataKey'),
];
