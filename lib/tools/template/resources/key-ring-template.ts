import {
  historyKeyCondition,
  receiptKeyCondition,
  searchCondition,
  searchKeyCondition,
} from '../permissions/secrets.ts';
import { customerKey, hasValue } from './account-template.ts';
import type { Resource, TemplatePart } from './cloudformation.ts';
import type { Offer } from '../offer.ts';

/** The condition under which receipts name an issuer of the operator. */
const issuerCondition = 'NamesReceiptIssuer';

const keyParameter = (keys: string) => ({
  Type: 'String',
  Default: '',
  AllowedPattern: '(arn:.+:kms:.+:key/.+)?',
  Description: `KMS key of the secret with the ${keys}, instead of the key of Secrets Manager in the account`,
});

/**
 * Returns a secret that holds a ring of keys, with a generated first key. Nothing that a key signed can be verified
 * without it, so the secret outlives the stack, as the table does.
 */
const keyRing = (description: string, parameter: string, condition: string): Resource => ({
  Type: 'AWS::SecretsManager::Secret',
  DeletionPolicy: 'RetainExceptOnCreate',
  UpdateReplacePolicy: 'Retain',
  Properties: {
    Description: description,
    KmsKeyId: { 'Fn::If': [condition, { Ref: parameter }, customerKey] },
    GenerateSecretString: {
      SecretStringTemplate: '{"current":"first"}',
      GenerateStringKey: 'first',
      PasswordLength: 64,
      ExcludePunctuation: true,
    },
  },
});

/** Returns the keys of histories, receipts and the search, with their parameters. Only the standalone mode has them. */
export const keyRingTemplate = (offer: Offer): TemplatePart =>
  offer.mode === 'connected'
    ? {}
    : {
        Parameters: {
          HistoryKmsKeyArn: keyParameter('history keys'),
          ReceiptKmsKeyArn: keyParameter('receipt keys'),
          CustomerSearch: {
            Type: 'String',
            Default: 'off',
            AllowedValues: ['off', 'on'],
            Description: 'Whether callers with returns:search find returns by the name or e-mail address of a customer',
          },
          SearchKmsKeyArn: keyParameter('search keys'),
          ReceiptIssuer: {
            Type: 'String',
            Default: '',
            AllowedPattern: '(https://[^\\s?#/]+)?',
            Description:
              'Origin at which receipts of withdrawals say that their keys are; urn:returns:<stage> when empty',
          },
        },
        Conditions: {
          [historyKeyCondition]: hasValue('HistoryKmsKeyArn'),
          [receiptKeyCondition]: hasValue('ReceiptKmsKeyArn'),
          [searchCondition]: { 'Fn::Equals': [{ Ref: 'CustomerSearch' }, 'on'] },
          [searchKeyCondition]: { 'Fn::And': [{ Condition: searchCondition }, hasValue('SearchKmsKeyArn')] },
          [issuerCondition]: hasValue('ReceiptIssuer'),
        },
        Resources: {
          HistoryKeys: keyRing(
            'Keys of the history entries. A reader of this secret can forge histories',
            'HistoryKmsKeyArn',
            historyKeyCondition,
          ),
          ReceiptKeys: keyRing(
            'Keys of the receipts of withdrawals. A reader of this secret can forge receipts',
            'ReceiptKmsKeyArn',
            receiptKeyCondition,
          ),
          SearchKeys: {
            ...keyRing(
              'Keys of the search for customers. A reader of this secret and of the table can test names and addresses',
              'SearchKmsKeyArn',
              searchKeyCondition,
            ),
            Condition: searchCondition,
          },
        },
      };
