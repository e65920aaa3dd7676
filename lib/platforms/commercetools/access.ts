import { topicOf, type Topic } from '../shared/signatures/sns.ts';
import { findSource, type Entry, type FindOptions } from '../shared/http/sources.ts';

/** What a project's notifications are believed by: the topic of SNS that they may come by; none where they come by AWS alone. */
export type Proof = { readonly topic?: Topic };

/** What a project is asked with: the API client that its orders and payments are read with, and where. */
export type Access = {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readProof = ({ optionalText, address }: Entry): Proof => {
  const arn = optionalText('topicArn');
  const topic = arn === undefined ? undefined : topicOf(arn);
  // What names no topic is believed by none.
  return topic === undefined ? {} : { topic: { ...topic, origin: address('snsOrigin', topic.origin) } };
};

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess = (entry: Entry): Access => ({
  // Hosts are by region: there is no usual one. https://docs.commercetools.com/api/general-concepts#hosts
  apiUrl: entry.address('apiUrl'),
  authUrl: entry.address('authUrl'),
  clientId: entry.text('clientId'),
  clientSecret: entry.text('clientSecret'),
});

/** What the project of that key is believed by, or undefined for one that is not ours; its entry is `{ topicArn? }`. */
export const findProof = async (key: string, options?: FindOptions): Promise<Proof | undefined> =>
  findSource('webhooks/commercetools', key, readProof, options);

/** What the project of that key is asked with; its entry is `{ apiUrl, authUrl, clientId, clientSecret }`. */
export const findAccess = async (key: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('api/commercetools', key, readAccess, options);
