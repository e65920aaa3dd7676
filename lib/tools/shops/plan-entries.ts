import { isObject, type JsonObject } from '../../runtime/json.ts';
import type { PlatformName } from '../../runtime/platform-names.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import type { Hook } from '../../shops/platforms/subscription.ts';
import { platformSubscriptions } from '../../shops/platforms/subscriptions.ts';
import { type Check, failed, passed } from '../doctor/check.ts';
import { readEntries, webhooksCheck } from '../doctor/checks/platform-entries.ts';
import type { PlatformSecret, SecretKind } from '../doctor/checks/platform-secrets.ts';
import { entriesOf, type Entries, type Given, missingFields } from './given-fields.ts';
import { hookOf } from './hook-of.ts';
import { fieldsOf } from './platform-fields.ts';
import type { ShopStage } from './shop-stage.ts';
import { entryIn, nameIn, readSources } from './store-entry.ts';

/** The sources of each secret of a platform; `effects` is absent without write-back. */
export type PlatformSources = Readonly<Record<SecretKind, JsonObject>> & { readonly effects?: JsonObject };

/** A platform of a stage. */
export type StagePlatform = { readonly stage: ShopStage; readonly platform: PlatformName };

/** Returns the id of a secret of the platform. */
export const secretIdOf = ({ stage, platform }: StagePlatform, kind: keyof PlatformSources): string =>
  `${stage.secretPrefix}/${kind}/${platform}`;

/** Reads the sources of the secrets of a platform. The failure is one sentence. */
export const readPlatformSources = async (
  platform: StagePlatform,
  withEffects: boolean,
): Promise<Result<PlatformSources, string>> => {
  const kinds = ['api', 'webhooks', ...(withEffects ? (['effects'] as const) : [])] as const;
  const read = await Promise.all(
    kinds.map(async (kind) => readSources(platform.stage.store, secretIdOf(platform, kind))),
  );
  const [api, webhooks, effects] = read;
  const wrong = read.find((result) => !result.ok);
  if (wrong?.ok === false) return wrong;
  if (api?.ok !== true || webhooks?.ok !== true) return fail('the secrets of the platform cannot be read.');
  return ok({ api: api.value, webhooks: webhooks.value, ...(effects?.ok === true && { effects: effects.value }) });
};

/** Returns the entry of one source alone. The case of its name does not count. */
const onlySource = (sources: JsonObject, source: string): JsonObject =>
  Object.fromEntries(Object.entries(sources).filter(([name]) => name.toLowerCase() === source.toLowerCase()));

/**
 * Checks the fields of one source in the secrets of its platform, with the readers of the functions.
 *
 * @returns one row for its fields, and one for the secrets that verify its deliveries. They name the path of a wrong
 *   field and quote no value.
 */
export const checkEntries = (platform: PlatformName, source: string, sources: PlatformSources): readonly Check[] => {
  const secretOf = (kind: keyof PlatformSources, half: SecretKind): PlatformSecret => {
    const all = sources[kind] ?? {};
    const secret = `${half}/${platform}` as const;
    return { half, secret, secretId: secret, text: JSON.stringify({ sources: all }), sources: onlySource(all, source) };
  };
  const api = secretOf('api', 'api');
  const webhooks = secretOf('webhooks', 'webhooks');
  const proofs = readEntries(platform, webhooks, api);
  const effects =
    sources.effects === undefined ? [] : readEntries(platform, secretOf('effects', 'api'), webhooks).errors;
  const errors = [
    ...proofs.errors,
    ...readEntries(platform, api, webhooks).errors,
    ...effects.map((error) => error.replace(`api/${platform}`, `effects/${platform}`)),
  ];
  if (errors.length > 0) return [failed('fields', errors.join('; '), 'Correct the field, and repeat the command.')];
  return [passed('fields', 'valid'), webhooksCheck('webhook secrets', proofs.valid)];
};

/** What the secrets are to have for a shop, before anything is written. */
export type Plan = { readonly entries: Entries; readonly hook: Hook | undefined };

const withEntry = (sources: JsonObject, source: string, entry: JsonObject): JsonObject => ({
  ...sources,
  [nameIn(sources, source)]: entry,
});

/**
 * Plans the entries of a shop, and checks them as the functions read them. The failure has a line for each error, which
 * names the field and quotes no value.
 */
export const planEntries = (
  { stage, platform }: StagePlatform,
  { source, writesBack }: { readonly source: string; readonly writesBack: boolean },
  held: PlatformSources,
  given: Given,
): Result<Plan, string> => {
  const stored = Object.fromEntries(
    Object.entries(held).flatMap(([kind, sources]) => {
      const entry = isObject(sources) ? entryIn(sources, source) : undefined;
      return entry === undefined ? [] : [[kind, entry]];
    }),
  );
  const entries = entriesOf(platform, source, stored, given);
  const missing = missingFields(platform, entries);
  if (missing.length > 0) {
    const fields = fieldsOf(platform);
    return fail(missing.map((name) => `/${name} is missing: ${fields[name]?.about}.`).join('\n'));
  }
  const hook = hookOf(stage, platform, source, entries, given.shop['hookAddress']);
  const isOurs = Object.hasOwn(platformSubscriptions, platform) && hook !== undefined;
  const kept = isOurs
    ? { hookAddress: hook.address, ...(hook.secret !== undefined && { hookSecret: hook.secret }) }
    : {};
  const planned = { ...entries, api: { ...entries.api, ...kept } };
  const sources = {
    api: withEntry(held.api, source, planned.api),
    webhooks: withEntry(held.webhooks, source, planned.webhooks),
    ...(writesBack && { effects: withEntry(held.effects ?? {}, source, planned.effects) }),
  };
  const wrong = checkEntries(platform, source, sources).filter(({ status }) => status === 'failed');
  return wrong.length > 0
    ? fail(wrong.map(({ detail, remedy = '' }) => `${detail}. ${remedy}`).join('\n'))
    : ok({ entries: planned, hook });
};
