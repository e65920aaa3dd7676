import { parseTopicArn, type SnsTopic } from '../shared/signatures/sns.ts';
import { findSource, type SourceEntry, type FindOptions } from '../shared/http/sources.ts';

/** The credentials that verify a project's notifications: an SNS topic, or none if only AWS delivers. */
export type WebhookCredentials = { readonly topic?: SnsTopic };

/** The credentials for a project's API: the API client for orders and payments, and the addresses. */
export type ApiCredentials = {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readWebhookCredentials = ({ optionalText, address }: SourceEntry): WebhookCredentials => {
  const arn = optionalText('topicArn');
  const topic = arn === undefined ? undefined : parseTopicArn(arn);
  // An entry without a topic accepts no SNS messages.
  return topic === undefined ? {} : { topic: { ...topic, origin: address('snsOrigin', topic.origin) } };
};

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials = (entry: SourceEntry): ApiCredentials => ({
  // Hosts depend on the region, so there is no default. https://docs.commercetools.com/api/general-concepts#hosts
  apiUrl: entry.address('apiUrl'),
  authUrl: entry.address('authUrl'),
  clientId: entry.text('clientId'),
  clientSecret: entry.text('clientSecret'),
});

/** Returns the webhook credentials of a project, or undefined if it is not ours. Its entry is `{ topicArn? }`. */
export const findWebhookCredentials = async (
  key: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> =>
  findSource('webhooks/commercetools', key, readWebhookCredentials, options);

/** Returns the API credentials of a project. Its entry is `{ apiUrl, authUrl, clientId, clientSecret }`. */
export const findApiCredentials = async (key: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/commercetools', key, readApiCredentials, options);
