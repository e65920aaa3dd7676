import { type Command, endWithUsageError, readCommandLine } from '../command-line/command-line.ts';
import { suggestion } from '../../runtime/nearest.ts';
import { type PlatformName, platformNames } from '../../runtime/platform-names.ts';
import { exitCodes } from '../command-line/exit-codes.ts';
import type { Check } from '../doctor/check.ts';
import type { ShopStage } from './shop-stage.ts';

const command: Command = {
  call: 'npm run shops',
  about:
    'Connects a shop to a deployed stage, prints the state of connected shops, and compares their return\nrules with the policy. It writes the secrets of the shop, makes its subscriptions, and waits for its first delivery. Tokens come from a prompt, or as JSON from standard input.',
  operands: {
    value: 'connect <platform> <source> | status [platform] | compare <platform> <source>',
    about: 'A source is one shop, site, store, project or account of a platform.',
  },
  options: {
    stage: { type: 'string', value: '<stage>', about: 'The stage. Its file is lib/tools/deploy/stages/<stage>.json.' },
    'write-back': { type: 'boolean', about: 'Writes also the secret of write-back, whose token may write.' },
    wait: { type: 'string', value: '<seconds>', about: 'How long to wait for a delivery; default 120.' },
    'no-wait': { type: 'boolean', about: 'Waits for no delivery.' },
    country: { type: 'string', value: '<codes>', about: 'Compares the policy of these countries, such as PT,ES.' },
    channel: { type: 'string', value: '<name>', about: 'Compares the policy of this channel of orders.' },
    date: { type: 'string', value: '<day>', about: 'Compares the policy of orders of this day; default today.' },
    json: { type: 'boolean', about: 'Prints the state or the comparison as JSON.' },
  },
  notes:
    'The AWS SDK finds the credentials, for example by AWS_PROFILE. A repeated command continues an interrupted one,\nand changes nothing that is right. The guide is lib/tools/guides/connect-a-shop.md.',
};

const { values, operands } = readCommandLine(command);
const usage = (message: string): never => endWithUsageError(command, message);

/** Prefixes of tokens: of Shopify, WooCommerce, Medusa, Standard Webhooks and VTEX, and of a JWT. */
const prefix = /^(?:shp[a-z]{2}_|c[ks]_|sk_|whsec_|whpk_|vtexappkey-|eyJ)/i;

/** Letters and digits without a word in them: random texts in hex, base64 or base64url, and UUIDs. */
const isRandom = (text: string): boolean =>
  /^(?=[^.]*\d)[\w+/=]{20,}$/.test(text) || /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text);

/** Whether an argument is probably a token that was given by mistake. A field with its value is one too. */
const looksLikeToken = (text: string): boolean => prefix.test(text) || isRandom(text) || /^\w+=./.test(text);

const marks = { passed: 'ok', warning: 'warning', failed: 'FAILED', skipped: 'skipped' } as const;

const report = ({ check, status, detail, remedy }: Check): void => {
  console.log(`${marks[status].padEnd(7)}  ${check.padEnd(15)}  ${detail}`);
  if (remedy !== undefined) console.log(`${' '.repeat(26)}→ ${remedy}`);
};

const platformOf = (name: string): PlatformName =>
  platformNames.find((known) => known === name) ??
  usage(`Unknown platform.${suggestion(name, platformNames) || ` There are ${platformNames.join(', ')}.`}`);

const sourceOf = (name: string): string =>
  /^[\w.:-]{1,100}$/.test(name)
    ? name
    : usage('The source must be a host or a name, of at most 100 letters, digits and the signs . : - _.');

const openStage = async (): Promise<ShopStage> => {
  const name = values['stage'];
  if (typeof name !== 'string') return usage('--stage is missing.');
  const { openShopStage } = await import('./shop-stage.ts');
  const stage = await openShopStage(name);
  return stage.ok ? stage.value : usage(stage.failure);
};

const waitMsOf = (): number | undefined => {
  const { wait = '120', 'no-wait': noWait } = values;
  if (!/^\d{1,4}$/.test(String(wait))) return usage('--wait must be whole seconds.');
  return noWait === true ? undefined : Number(wait) * 1_000;
};

const connect = async (platform: PlatformName, source: string): Promise<number> => {
  const waitMs = waitMsOf();
  const writesBack = values['write-back'] === true;
  const stage = await openStage();
  const { planEntries, readPlatformSources } = await import('./plan-entries.ts');
  const held = await readPlatformSources({ stage, platform }, writesBack);
  if (!held.ok) throw new Error(held.failure);
  const { giveFields, interruption } = await import('./ask-fields.ts');
  const given = await giveFields({ platform, source, held: held.value, writesBack });
  if (!given.ok && given.failure === interruption) {
    console.error(interruption);
    return exitCodes.interrupted;
  }
  if (!given.ok) return usage(given.failure);
  const plan = planEntries({ stage, platform }, { source, writesBack }, held.value, given.value);
  if (!plan.ok) return usage(`${plan.failure}\nNothing was written.`);
  const { connectShop } = await import('./connect-shop.ts');
  const connection = { stage, platform, source, writesBack, waitMs, report, say: (text: string) => console.log(text) };
  const isDone = await connectShop(connection, plan.value);
  console.log(isDone ? `${platform} ${source} is connected.` : `${platform} ${source} is not connected yet.`);
  return isDone ? exitCodes.ok : exitCodes.failed;
};

const status = async (platform: PlatformName | undefined): Promise<number> => {
  const stage = await openStage();
  const { readPlatformState } = await import('./shop-status.ts');
  const platforms = platform === undefined ? stage.platforms.map(platformOf) : [platform];
  const states = await Promise.all(
    platforms.map(async (name) => {
      const read = await readPlatformState({ stage, platform: name });
      if (!read.ok) throw new Error(read.failure);
      return read.value;
    }),
  );
  const shops = states.flat();
  if (values['json'] === true) console.log(JSON.stringify({ shops }, null, 2));
  else
    for (const shop of shops) {
      console.log(`${shop.platform} ${shop.source}`);
      for (const check of shop.checks) report(check);
    }
  if (shops.length === 0 && values['json'] !== true) console.log(`No shop is connected to ${platforms.join(', ')}.`);
  return shops.every(({ isOk }) => isOk) ? exitCodes.ok : exitCodes.failed;
};

const countriesOf = (): readonly string[] => {
  const { country = '' } = values;
  return /^[A-Z]{2}(?:,[A-Z]{2}){0,59}$/.test(String(country))
    ? [...new Set(String(country).split(','))]
    : usage('--country must be at most 60 country codes, such as PT,ES.');
};

const compare = async (platform: PlatformName, source: string): Promise<number> => {
  const countries = countriesOf();
  const { comparePolicy, comparedPlatforms, comparisonChecks } = await import('./compare-policy.ts');
  const compared =
    comparedPlatforms.find((name) => name === platform) ??
    usage(`The API of ${platform} has no return rules. Those of ${comparedPlatforms.join(', ')} can be compared.`);
  const { channel, date } = values;
  const scope = {
    countries,
    ...(typeof channel === 'string' && { channel }),
    ...(typeof date === 'string' && { date }),
  };
  const comparisons = await comparePolicy(await openStage(), compared, source, scope);
  if (!comparisons.ok) {
    report(comparisons.failure);
    return exitCodes.failed;
  }
  if (values['json'] === true) console.log(JSON.stringify({ comparisons: comparisons.value }, null, 2));
  else for (const check of comparisons.value.flatMap(comparisonChecks)) report(check);
  return comparisons.value.every(({ differences }) => differences.length === 0) ? exitCodes.ok : exitCodes.failed;
};

const main = async (): Promise<number> => {
  const tokenAt = operands.findIndex(looksLikeToken);
  if (tokenAt !== -1)
    return usage(
      `Argument ${tokenAt + 1} looks like a token. Give tokens at the prompt or by standard input, and revoke this one: the shell keeps its arguments.`,
    );
  const [action, name, source, ...more] = operands;
  const platform = name === undefined ? undefined : platformOf(name);
  if (action === 'status' && source === undefined) return status(platform);
  if (action === 'connect' && platform !== undefined && source !== undefined && more.length === 0)
    return connect(platform, sourceOf(source));
  if (action === 'compare' && platform !== undefined && source !== undefined && more.length === 0)
    return compare(platform, sourceOf(source));
  return usage('The arguments must be connect <platform> <source>, status [platform], or compare <platform> <source>.');
};

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    console.error('Interrupted. A repeated command continues.');
    process.exit(exitCodes[signal === 'SIGINT' ? 'interrupted' : 'terminated']);
  });

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`The command did not end: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = exitCodes.failed;
}
