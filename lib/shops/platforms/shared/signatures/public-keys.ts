import { defaultAgent } from '../../../../access/net/agent.ts';
import { elapsed, stamp, systemClock as clock, type Stamp } from '../../../../access/net/clock.ts';
import { isTimedOut } from '../../../../access/net/deadline.ts';
import { send, type Incoming } from '../../../../access/net/request.ts';
import { startFlight, type Flight } from '../../../../access/net/single-flight.ts';
import { TransportError } from '../../../../access/net/transport-error.ts';
import { perContainer } from '../../../../runtime/container.ts';

/** The maximum time for which a withdrawn key is still trusted. */
const timeToLive = 3_600_000;
/** The minimum interval between fetches of keys, also of unavailable ones. It limits forged requests. */
const minAge = 10_000;
/**
 * The limit of fetches for all addresses of an origin that have not verified a delivery.
 * A sender chooses the address, so every forgery may name another.
 */
const maxFetches = { count: 30, withinMs: 60_000 };
const maxCached = 100;
const timeoutMs = 3_000;
/** A platform's keys are a few kilobytes. */
const maxBytes = 64 * 1024;

/** Thrown if keys are unavailable now. `reason` is a stable code. It quotes neither the address nor the response. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
  readonly reason: string;

  constructor(reason: string) {
    super(`the public keys cannot be read: ${reason}`);
    this.reason = reason;
  }
}

type Parse<Keys> = (body: Buffer) => Keys | undefined;
type Outcome<Keys> = { readonly at: Stamp; readonly keys: Keys } | { readonly at: Stamp; readonly failure: string };

/** The cached outcomes of the addresses of one reader. */
type KeyCache<Keys> = {
  readonly outcomes: Map<string, Outcome<Keys>>;
  readonly flights: Map<string, Flight<Keys>>;
};

/** By reader, because the result of one reader has no meaning for another. */
const keyCaches = perContainer(() => new WeakMap<Parse<unknown>, KeyCache<unknown>>());

const keyCacheOf = <Keys>(parse: Parse<Keys>): KeyCache<Keys> => {
  const shelf = keyCaches().get(parse) ?? { outcomes: new Map(), flights: new Map() };
  keyCaches().set(parse, shelf);
  return shelf as KeyCache<Keys>;
};

const fetchStarts = perContainer(() => new Map<string, readonly Stamp[]>());

/** Whether an origin allows one more fetch. If so, it counts. */
const mayFetch = (origin: string): boolean => {
  const recent = (fetchStarts().get(origin) ?? []).filter((at) => elapsed(clock, at) < maxFetches.withinMs);
  const may = recent.length < maxFetches.count;
  fetchStarts().set(origin, may ? [...recent, stamp(clock)] : recent);
  return may;
};

/** Evicts a cache entry: failures before keys, and older ones before newer ones. */
const evictOne = <Keys>(outcomes: Map<string, Outcome<Keys>>): void => {
  if (outcomes.size < maxCached) return;
  const entries = [...outcomes];
  const [url] = entries.find(([, outcome]) => 'failure' in outcome) ?? entries[0] ?? [];
  if (url !== undefined) outcomes.delete(url);
};

const requestKeys = async (url: string, signal: AbortSignal): Promise<Incoming> => {
  try {
    const headers = { accept: 'application/json, */*' };
    return await send({ agent: defaultAgent(), method: 'GET', url, headers, timeoutMs, signal, maxBytes });
  } catch (error) {
    throw error instanceof TransportError ? new KeysUnavailable(error.reason) : error;
  }
};

const refetchKeys = async <Keys>(url: string, parse: Parse<Keys>, signal: AbortSignal): Promise<Keys> => {
  const { outcomes } = keyCacheOf(parse);
  const store = (outcome: Outcome<Keys>) => {
    outcomes.delete(url);
    evictOne(outcomes);
    outcomes.set(url, outcome);
  };
  try {
    const { status, body } = await requestKeys(url, signal);
    if (status !== 200) throw new KeysUnavailable(`status_${status}`);
    const keys = parse(body);
    if (keys === undefined) throw new KeysUnavailable('unreadable');
    store({ at: stamp(clock), keys });
    return keys;
  } catch (error) {
    // The waiting caller has left. That is no failure of the keys.
    if (error instanceof KeysUnavailable && !signal.aborted) store({ at: stamp(clock), failure: error.reason });
    throw error;
  }
};

export type FetchOptions = {
  /** The cached keys did not match, and may have been replaced. Those older than ten seconds are fetched again. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
  /** Whether a key at an address has verified a delivery. It is asked only when the fetches of unknown ones are used up. */
  readonly isProven?: (url: string) => Promise<boolean>;
};

/** Returns keys that still count; undefined when they must be fetched. @throws {KeysUnavailable} after a recent failure */
const readCached = <Keys>({ outcomes }: KeyCache<Keys>, url: string, fresh: boolean): Keys | undefined => {
  const known = outcomes.get(url);
  if (known === undefined) return undefined;
  const age = elapsed(clock, known.at);
  if ('keys' in known) return age < (fresh ? minAge : timeToLive) ? known.keys : undefined;
  if (age < minAge) throw new KeysUnavailable(known.failure);
  return undefined;
};

const neverAborted = new AbortController().signal;
const neverProven = async (): Promise<boolean> => false;

/**
 * Returns the public keys at an address.
 * All waiting callers share one fetch. Keys are cached for an hour, and fetched again for `fresh`. Redirects are not
 * followed. Fetches are limited for each address, because any sender causes them. Addresses of one origin share a limit.
 * An address that has verified a delivery is fetched beyond it. The origin must be the platform's own, or one that the
 * operator of the deployment has named.
 *
 * @param url an absolute address
 * @param parse reads the whole body, or returns undefined if it is invalid. It must live as long as its module, because
 * the keys are cached for it
 * @throws {KeysUnavailable} when no keys are available in time
 */
export const fetchKeys = async <Keys>(
  url: string,
  parse: Parse<Keys>,
  { fresh = false, signal = neverAborted, isProven = neverProven }: FetchOptions = {},
): Promise<Keys> => {
  const cache = keyCacheOf(parse);
  const { flights } = cache;
  const cached = readCached(cache, url, fresh);
  if (cached !== undefined) return cached;
  if (flights.get(url)?.isOpen() !== true && !mayFetch(new URL(url).origin)) {
    if (!(await isProven(url))) throw new KeysUnavailable('fetched_too_often');
    const meanwhile = readCached(cache, url, fresh);
    if (meanwhile !== undefined) return meanwhile;
  }
  let flight = flights.get(url);
  if (flight?.isOpen() !== true) {
    flight = startFlight((ending) => refetchKeys(url, parse, ending));
    flights.set(url, flight);
  }
  try {
    return await flight.join(signal);
  } catch (error) {
    if (signal.aborted) throw new KeysUnavailable(isTimedOut(signal) ? 'timeout' : 'aborted');
    throw error;
  } finally {
    if (!flight.isOpen() && flights.get(url) === flight) flights.delete(url);
  }
};
