import { ulid } from 'ulid';
import type { Endpoint } from '../../../lib/domain/events/endpoint.ts';
import { perContainer } from '../../../lib/runtime/container.ts';
import { openSession, type Session } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import { readEndpoint, writeEndpoint, writeEndpointSecrets } from '../../../lib/store/events/endpoints.ts';
import {
  appendEvents,
  eventPartitionCount,
  eventPartitionOf,
  type UnpublishedEvents,
  readEndOffset,
  readPublishedSequence,
} from '../../../lib/store/events/event-partitions.ts';
import { groupOf } from '../../../lib/store/events/subscriptions.ts';
import { writeDomainEvent } from '../../../lib/store/events/outbox.ts';
import { ampleDeadline } from '../../support/time.ts';

/* Stored endpoints and their events. */

const opened = perContainer(() => openSession(ampleDeadline()));

/** A session of the present container. */
export const session: Session = {
  get send() {
    return opened().send;
  },
  get signal() {
    return opened().signal;
  },
  [Symbol.dispose]: () => opened()[Symbol.dispose](),
};

export const secret = `whsec_${Buffer.from('a key that the tests know well').toString('base64')}`;

/** Creates an endpoint for events from now on. */
export const makeEndpoint = async (url: string, changes: Partial<Endpoint> = {}): Promise<Endpoint> => {
  const now = new Date().toISOString();
  const begins = await Promise.all(
    Array.from({ length: eventPartitionCount }, async (_, log) => readEndOffset(session, log)),
  );
  const endpoint: Endpoint = {
    id: `whk_${ulid()}`,
    url,
    eventTypes: ['*'],
    createdAt: now,
    updatedAt: now,
    version: 1,
    begins,
    ...changes,
  };
  const secrets = [{ secret, createdAt: now }];
  await transact(session, [writeEndpoint(endpoint), writeEndpointSecrets(endpoint.id, secrets)]);
  return endpoint;
};

/** Writes an endpoint after a change. */
export const changeEndpoint = async ({ id }: Endpoint, change: (endpoint: Endpoint) => Endpoint): Promise<void> => {
  const endpoint = await readEndpoint(session, id);
  if (endpoint === undefined) throw new Error(`there is no ${id}`);
  await transact(session, [writeEndpoint({ ...change(endpoint), version: endpoint.version + 1 })]);
};

/** The subscription group of all these returns. These tests process it unless they name another one. */
export const group = 1;
export const makeReturns = (count: number, of = group): readonly string[] => {
  const found: string[] = [];
  while (found.length < count) {
    const id = `ret_${ulid()}`;
    if (groupOf(eventPartitionOf(`RETURN#${id}`)) === of) found.push(id);
  }
  return found;
};

/** Creates events in a stream, and appends them as the publisher does, unless that was faster. */
export const happenIn = async (stream: string, types: readonly string[], now = Date.now()): Promise<void> => {
  const log = eventPartitionOf(stream);
  const [before, head] = await Promise.all([readPublishedSequence(session, stream), readEndOffset(session, log)]);
  const logged = types.map((type, index) => ({ stream, type, sequence: before + index + 1 }));
  const writes = logged.map(({ sequence, type }) =>
    writeDomainEvent(stream, {
      sequence,
      type,
      at: new Date().toISOString(),
      actor: { clientId: 'test' },
      data: { kind: type },
      causationId: 'test',
      correlationId: '0'.repeat(32),
    }),
  );
  const unpublished: UnpublishedEvents = { stream, before, logged };
  const written = await transact(session, writes);
  if (!written.written) throw new Error('nothing happened');
  for (let at = head; ; at = await readEndOffset(session, log)) {
    const projected = await appendEvents(session, log, at, [unpublished], now);
    if (projected.written || projected.failed.includes(stream)) return;
  }
};

/** Creates events of a return. */
export const happen = async (returnId: string, types: readonly string[]): Promise<void> =>
  happenIn(`RETURN#${returnId}`, types);

export const approved = (count: number): readonly string[] => Array.from({ length: count }, () => 'return.approved');
