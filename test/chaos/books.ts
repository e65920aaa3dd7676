import type { SentRequest } from '../crash/harness.ts';
import { isAcknowledged, canRepeat, lostOrDoubled, otherAnswers, unexpected } from '../crash/survive.ts';
import { audit } from '../support/audit.ts';
import { readStored, type Stored } from '../support/audit/stored.ts';
import { faultOf } from '../webhooks/storm.ts';
import { ringingAlarms } from './alarms.ts';
import type { Caller, ChaosRequest } from './load.ts';
import type { SeenEvent } from './receiver.ts';
import { endedBadly, readEvents, runSchedule, type Draining } from './drain.ts';

/* Balances the books of a run: every accepted request, delivery and event has exactly its effect. */

/** The effects of a run, and the differences to what they must be. */
export type Books = {
  readonly effects: Readonly<Record<string, number>>;
  readonly alarms: readonly string[];
  /** One sentence for each difference; empty when the books balance. */
  readonly differences: readonly string[];
};

/** Requests that are repeated at the end, to see that each has the answer that it had. */
const maxRepeated = 300;

/** Returns the differences between the histories of all returns and the domain events of one consumer. */
const eventDifferences = (stored: Stored, seen: readonly SeenEvent[], consumer: string): readonly string[] => {
  const ids = new Map<string, Set<string>>();
  for (const { id, subject, sequence } of seen) {
    const entry = `${subject} ${sequence}`;
    ids.set(entry, (ids.get(entry) ?? new Set()).add(id));
  }
  return [...stored.returns.values()].flatMap(({ id, entries }) =>
    entries.flatMap(({ sequence }) => {
      const count = ids.get(`${id} ${sequence}`)?.size ?? 0;
      return count === 1 ? [] : [`${consumer} has entry ${sequence} of ${id} under ${count} ids`];
    }),
  );
};

/** Returns work that ended without success and without an alarm. */
const silentlyStuck = async (caller: Caller, alarms: ReadonlySet<string>): Promise<readonly string[]> => {
  const differences: string[] = [];
  for (const mode of ['connected', 'standalone'] as const) {
    const failed = await endedBadly(caller, mode, 'failed');
    if (failed.length > 0 && !alarms.has(`${mode}.InboxDeadLettersAlarm`))
      differences.push(`${failed.length} deliveries failed in the ${mode} mode without an alarm`);
    const parked = await endedBadly(caller, mode, 'parked');
    differences.push(...parked.map(({ deliveryKey, reason }) => `${mode}: ${deliveryKey} is parked: ${reason}`));
  }
  return differences;
};

const endpointDifferences = async (
  { services: { standalone } }: Caller,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const answers = await Promise.all(ids.map((id) => standalone.get(`/webhook-endpoints/${id}`)));
  return answers.flatMap(({ body }, index) =>
    (body as unknown as { readonly enabled: boolean }).enabled ? [] : [`the endpoint ${ids[index]} is disabled`],
  );
};

export type Ended = Omit<Draining, 'say'> & {
  /** What was still open at the end of the time. */
  readonly open: readonly string[];
};

/** Compares all that was accepted with all that is stored, published and delivered. */
export const balanceBooks = async ({ world, caller, sent, shop, files, endpoints, open }: Ended): Promise<Books> => {
  const requests: readonly SentRequest[] = sent;
  const acknowledged = requests.filter(isAcknowledged);
  const unanswered = sent.filter((one) => one.answer === undefined && canRepeat(one));
  const repeat = async (one: ChaosRequest) => {
    const answer = await caller.once(one);
    if (answer === undefined) throw new Error('a mode does not answer after the faults');
    return answer;
  };
  const modeOf = new Map(sent.map((one) => [one.key, one.mode]));
  const step = Math.max(1, Math.floor(acknowledged.length / maxRepeated));
  const repeated = await otherAnswers(
    async (one) => repeat({ ...one, mode: modeOf.get(one.key) ?? 'standalone' }),
    acknowledged.filter((_, index) => index % step === 0),
  );
  const broken = await runSchedule(world, 'standalone', 'verifyChains');
  const stored = await readStored(world.info);
  const events = await readEvents(caller);
  const shopDifferences: string[] = [];
  for (const life of shop.lives) shopDifferences.push(...(await faultOf(world, life)));
  const alarms = await ringingAlarms(world);
  const differences = [
    ...open,
    ...world.died().map((mode) => `the ${mode} mode ended by itself`),
    ...unanswered.map(({ mode, request }) => `${mode}: ${request.operation.name} has no answer after the faults`),
    ...unexpected(sent),
    ...repeated,
    ...lostOrDoubled(stored, sent),
    ...audit(stored),
    ...shopDifferences,
    ...eventDifferences(stored, events, 'the list of events'),
    ...eventDifferences(stored, world.bus, 'the bus'),
    ...world.receivers.flatMap((receiver, index) => eventDifferences(stored, receiver.events, `receiver ${index + 1}`)),
    ...world.receivers.flatMap((receiver) =>
      receiver.rejected() > 0 ? [`${receiver.rejected()} webhooks had no valid signature`] : [],
    ),
    ...(await endpointDifferences(caller, endpoints)),
    ...(await files.differences(alarms)),
    ...(await silentlyStuck(caller, alarms)),
    ...(broken === undefined ? [] : [broken]),
    ...(alarms.has('standalone.ChainBrokenAlarm') ? ['a history is broken'] : []),
  ];
  const effects = {
    'requests sent': sent.length,
    'requests acknowledged': acknowledged.length,
    'returns stored': stored.returns.size,
    'entries in histories': [...stored.returns.values()].reduce((sum, { entries }) => sum + entries.length, 0),
    'deliveries of the shop accepted': shop.accepted(),
    'files uploaded': files.uploaded(),
    exports: files.exports(),
    'events listed': events.length,
    'events on the bus': world.bus.length,
    'webhooks received': world.receivers.reduce((sum, receiver) => sum + receiver.events.length, 0),
    'failed invocations': world.invoked.filter(({ error }) => error !== undefined).length,
  };
  return { effects, alarms: [...alarms], differences };
};
