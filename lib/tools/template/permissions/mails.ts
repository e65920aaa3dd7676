import { actionsOn, arnOf, type Permission } from './permission.ts';
import { readHistoryKeys } from './secrets.ts';
import { getItem, readMessage, transact, update } from './table.ts';

/* Mails to customers. Only one function may send them, by the sender of the deployment alone. */

/** The condition of a deployment that names a sender. */
export const mailCondition = 'SendsMails';

/** The name of the configuration set, which adds a tag to bounces and complaints. */
export const mailConfigurationSet = { 'Fn::Sub': 'returns-${Stage}' };

/** The rules that fill the queue of mails, by their logical ids. */
export type MailRule = 'MailMessages' | 'MailBounces' | 'MailComplaints';

/** The name of a rule, which its metrics have. */
export const mailRuleName = (id: MailRule) => ({ 'Fn::Sub': `returns-\${Stage}-${id}` });

const onSes = (resource: string) =>
  actionsOn('ses', { 'Fn::Sub': `arn:\${AWS::Partition}:ses:\${AWS::Region}:\${AWS::AccountId}:${resource}` });

export const onMails = actionsOn('sqs', arnOf('MailsQueue'));

/** Sends messages to customers, and stores no address. */
export const sendMails: readonly Permission[] = [
  ...readMessage,
  // It records a sent receipt, by a command without a key.
  transact('WITHDRAWAL#*'),
  ...readHistoryKeys,
  getItem('MAILKEY', 'MAIL#*', 'MAILADDRESS#*'),
  transact('MAILKEY', 'MAIL#*', 'MAILADDRESS#*'),
  update('MAIL#*', 'MAILADDRESS#*', 'MAILCOUNT#*'),
  // The verified identity of the sender may be the address, its domain or a domain above.
  { ...onSes('identity/*')('SendEmail'), sender: { Ref: 'MailSender' } },
  onSes('configuration-set/returns-${Stage}')('SendEmail'),
  // Used by Lambda, which feeds the function under its role.
  onMails('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];
