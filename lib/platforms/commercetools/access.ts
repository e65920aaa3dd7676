import { topicOf, type Topic } from '../proof/sns.ts';
import { findSource, type Entry, type FindOptions } from '../ask/sources.ts';

/** What we hold of a project: the API client that its orders and payments are read with, and where. */
export type Access = {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The topic of SNS that its notifications may come by. */
  readonly topic?: Topic;
};

const topicIn = ({ optionalText, address }: Entry): Pick<Access, 'topic'> => {
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
  ...topicIn(entry),
});

/**
 * The project of that key, or undefined for one that is not ours; its entry is
 * `{ apiUrl, authUrl, clientId, clientSecret, topicArn? }`.
 */
export const findAccess = async (key: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('commercetools', key, readAccess, options);
