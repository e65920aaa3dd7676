import { parseTopicArn, type SnsTopic } from '../shared/signatures/sns.ts';
import { findSource, type SourceEntry, type FindOptions } from '../shared/http/sources.ts';

/** What a project's notifications are believed by: the topic of SNS that they may come by; none where they come by AWS alone. */
export type WebhookCredentials = { readonly topic?: SnsTopic };

/** What a project is asked with: the API client that its orders and payments are read with, and where. */
export type ApiCredentials = {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readWebhookCredentials = ({ optionalText, address }: SourceEntry): WebhookCredentials => {
  const arn = optionalText('topicArn');
  const topic = arn === undefined ? undefined : parseTopicArn(arn);
  // What names no topic is believed by none.
  return topic === undefined ? {} : { topic: { ...topic, origin: address('snsOrigin', topic.origin) } };
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readApiCredentials = (entry: SourceEntry): ApiCredentials => ({
  // Hosts are by region: there is no usual one. https://docs.commercetools.com/api/general-concepts#hosts
  apiUrl: entry.address('apiUrl'),
  authUrl: entry.address('authUrl'),
  clientId: entry.text('clientId'),
  clientSecret: entry.text('clientSecret'),
});

/** What the project of that key is believed by, or undefined for one that is not ours; its entry is `{ topicArn? }`. */
export const findWebhookCredentials = async (
  key: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> =>
  findSource('webhooks/commercetools', key, readWebhookCredentials, options);

/** What the project of that key is asked with; its entry is `{ apiUrl, authUrl, clientId, clientSecret }`. */
export const findApiCredentials = async (key: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/commercetools', key, readApiCredentials, options);
