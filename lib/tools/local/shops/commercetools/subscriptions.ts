import type { Node } from './updates.ts';

/*
 * The subscriptions of a project. A new destination gets a test, after which the subscription is healthy.
 * https://docs.commercetools.com/api/projects/subscriptions
 */

/** A subscription of the project. */
export type Subscription = { readonly id: string; readonly version: number; readonly status: string } & Node;

type Answer = readonly [status: number, body: unknown];

const rejected = (status: number, code: string): Answer => [status, { statusCode: status, errors: [{ code }] }];

/** Whether the project can deliver to a destination: it has no keys for one of AWS. */
const isDestination = (value: unknown): boolean => {
  const { type, authenticationMode, queueUrl, topicArn, accountId } = (value ?? {}) as Node;
  if (type === 'EventBridge') return typeof accountId === 'string';
  return authenticationMode === 'IAM' && typeof (type === 'SQS' ? queueUrl : topicArn) === 'string';
};

const create = (subscriptions: Map<string, Subscription>, draft: Node, nextId: () => string): Answer => {
  if (!isDestination(draft['destination'])) return rejected(400, 'InvalidInput');
  const isTaken = [...subscriptions.values()].some(({ key }) => key !== undefined && key === draft['key']);
  if (isTaken) return rejected(400, 'DuplicateField');
  const id = nextId();
  const subscription = { messages: [], changes: [], events: [], ...draft, id, version: 1, status: 'Healthy' };
  subscriptions.set(id, subscription);
  return [201, subscription];
};

/** Applies an action; undefined where it is rejected. */
const apply = (subscription: Subscription, action: Node): Subscription | undefined => {
  switch (action['action']) {
    case 'setMessages':
      return { ...subscription, messages: action['messages'] };
    case 'setChanges':
      return { ...subscription, changes: action['changes'] };
    case 'changeDestination':
      return isDestination(action['destination'])
        ? { ...subscription, destination: action['destination'], status: 'Healthy' }
        : undefined;
    default:
      return undefined;
  }
};

/** Answers the creation of a subscription, or an update by all actions or none. */
export const answerSubscriptions = (
  subscriptions: Map<string, Subscription>,
  id: string,
  body: Node,
  nextId: () => string,
): Answer => {
  if (id === '') return create(subscriptions, body, nextId);
  const found = subscriptions.get(id);
  if (found === undefined) return rejected(404, 'ResourceNotFound');
  if (body['version'] !== found.version) return rejected(409, 'ConcurrentModification');
  let next: Subscription | undefined = found;
  for (const action of body['actions'] as readonly Node[]) next = next && apply(next, action);
  if (next === undefined) return rejected(400, 'InvalidInput');
  const changed = { ...next, version: found.version + 1 };
  subscriptions.set(id, changed);
  return [200, changed];
};
