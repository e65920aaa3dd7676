import { awsSuffix } from '../address.ts';
import { required, url, wholeNumber } from './environment.ts';

/* The configuration of mails. As in config.ts, a function reads a group when it loads. */

/** The verified sender of mails, the limit of a day, and the origin of SES (standalone mode with a sender). */
export const mailConfig = () => {
  const region = required('AWS_REGION');
  return {
    sender: required('MAIL_SENDER'),
    configurationSet: required('MAIL_CONFIGURATION_SET'),
    region,
    origin: process.env['AWS_ENDPOINT_URL_SESV2'] || `https://email.${region}.${awsSuffix(region)}`,
  };
};

/** The mails of a kind that the deployment sends in a day. */
export const mailLimitConfig = () => ({ limit: wholeNumber('MAIL_LIMIT') });

/** The queue of mails to send. */
export const mailsQueueConfig = () => ({ queueUrl: url('MAILS_QUEUE_URL') });
