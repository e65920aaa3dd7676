import { actionsOn, type Permission } from './permission.ts';

/** A secret outside of this stack, by the parameter with its name. AWS adds six characters to its ARN. */
const namedSecret = (parameter: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:\${${parameter}}-??????`,
});

/** The actions of a rotation function. https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotating-secrets-required-permissions-function.html */
const rotationActions = ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'] as const;
/** Rotates the client secret, and invokes the operator's function that creates secrets at the issuer. */
export const rotateClientSecret: readonly Permission[] = [
  actionsOn('secretsmanager', namedSecret('ClientSecretId'))(...rotationActions),
  actionsOn('lambda', { Ref: 'RotationHookArn' })('InvokeFunction'),
];
export const readClientSecret = actionsOn('secretsmanager', namedSecret('ClientSecretId'))('GetSecretValue');
/** The secrets of the shops with a prefix, one for each platform. */
const shopSecrets = (half: 'webhooks' | 'api' | 'effects') =>
  actionsOn('secretsmanager', {
    'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:\${PlatformSecrets}/${half}/*`,
  })('GetSecretValue');
/** The secrets that verify deliveries, and that of the front. */
export const readWebhookSecrets = shopSecrets('webhooks');
/** The tokens of the shops. No public function may read them. */
export const readShopTokens = shopSecrets('api');
/** The tokens that may write to the shops. Only the worker of write-back reads them. */
export const readEffectTokens = shopSecrets('effects');
export const readSigningSecret = actionsOn('secretsmanager', { Ref: 'SigningSecret' })('GetSecretValue');

/** The condition of a KMS key of the customer for the history keys. */
export const historyKeyCondition = 'KeysHistoryByKey';
/** The keys of histories: a reader can forge a history. The template may name a KMS key for them. */
export const readHistoryKeys: readonly Permission[] = [
  actionsOn('secretsmanager', { Ref: 'HistoryKeys' })('GetSecretValue'),
  { ...actionsOn('kms', { Ref: 'HistoryKmsKeyArn' })('Decrypt'), condition: historyKeyCondition },
];

/** The condition of a KMS key of the customer for the receipt keys. */
export const receiptKeyCondition = 'KeysReceiptsByKey';
/** The keys of receipts: a reader can forge a receipt. The template may name a KMS key for them. */
export const readReceiptKeys: readonly Permission[] = [
  actionsOn('secretsmanager', { Ref: 'ReceiptKeys' })('GetSecretValue'),
  { ...actionsOn('kms', { Ref: 'ReceiptKmsKeyArn' })('Decrypt'), condition: receiptKeyCondition },
];

/** The condition of the search for customers: of its keys, and of what functions may do for it. */
export const searchCondition = 'SearchesCustomers';
/** The condition of a KMS key of the customer for the search keys. */
export const searchKeyCondition = 'KeysSearchByKey';
/** The keys of the search: a reader can test whether a name or an address is in the table. */
export const readSearchKeys: readonly Permission[] = [
  { ...actionsOn('secretsmanager', { Ref: 'SearchKeys' })('GetSecretValue'), condition: searchCondition },
  { ...actionsOn('kms', { Ref: 'SearchKmsKeyArn' })('Decrypt'), condition: searchKeyCondition },
];

/** The condition of the page for withdrawals, and of its key. */
export const withdrawCondition = 'ServesWithdrawals';
/** The key of the page for withdrawals, which signs its checks. */
export const readWithdrawKey: Permission = actionsOn('secretsmanager', { Ref: 'WithdrawKey' })('GetSecretValue');

/**
 * Rotates the keys of cursors and of the page for withdrawals, and adds keys to those of histories, receipts and the
 * search.
 */
export const rotateKeys: readonly Permission[] = [
  actionsOn('secretsmanager', { Ref: 'SigningSecret' })(...rotationActions),
  { ...actionsOn('secretsmanager', { Ref: 'WithdrawKey' })(...rotationActions), condition: withdrawCondition },
  actionsOn('secretsmanager', { Ref: 'HistoryKeys' })(...rotationActions),
  { ...actionsOn('kms', { Ref: 'HistoryKmsKeyArn' })('Decrypt', 'GenerateDataKey'), condition: historyKeyCondition },
  actionsOn('secretsmanager', { Ref: 'ReceiptKeys' })(...rotationActions),
  { ...actionsOn('kms', { Ref: 'ReceiptKmsKeyArn' })('Decrypt', 'GenerateDataKey'), condition: receiptKeyCondition },
  { ...actionsOn('secretsmanager', { Ref: 'SearchKeys' })(...rotationActions), condition: searchCondition },
  { ...actionsOn('kms', { Ref: 'SearchKmsKeyArn' })('Decrypt', 'GenerateDataKey'), condition: searchKeyCondition },
];

/** The condition of resources and functions for shared tokens, with and without a KMS key. */
export const sharedTokenCondition = 'SharesTokens';
const sharedTokenKeyCondition = 'SharesTokensByKey';

/** The template may name a KMS key for the shared tokens. */
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
/** Only this function writes the tokens. */
export const refreshSharedTokens = [
  ...(['SharedReadToken', 'SharedWriteToken', 'SharedAdminToken'] as const).map((token) =>
    onSharedToken(token, 'GetSecretValue', 'PutSecretValue'),
  ),
  onSharedTokenKey('Decrypt', 'GenerateDataKey'),
];
