import { getMessage, recordReceiptSent } from '#backend';
import { sendMails } from '../../lib/service/mails/send-mails.ts';

export const handler = sendMails({ getMessage, recordReceiptSent });
