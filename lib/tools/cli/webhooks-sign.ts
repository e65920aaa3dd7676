import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Argument, type Command } from 'commander';
import { exitCodes } from '../command-line/exit-codes.ts';
import { signDelivery, signedPlatforms, type SignedPlatform } from '../signing/sign-delivery.ts';
import { safeJson, safeLines } from './output/safe-text.ts';
import { readSecretFile } from './profiles/credentials.ts';
import { type Runner, type Session, usageError } from './session.ts';

type Options = {
  readonly secretFile: string;
  readonly topic?: string;
  readonly source?: string;
  readonly id?: string;
};

/** The platforms that sign. The header of VTEX is the token itself, and the command line prints no secret. */
const signing = signedPlatforms.filter((platform) => platform !== 'vtex');

/** An example for each platform that names the topic in a header. Without one its delivery is malformed. */
const exampleTopics: Readonly<Partial<Record<SignedPlatform, string>>> = {
  saleor: 'order_updated',
  shopify: 'orders/updated',
  woocommerce: 'order.updated',
};

const readBody = async (file: string): Promise<Buffer | string> => {
  try {
    return await (file === '-' ? buffer(process.stdin) : readFile(file));
  } catch (error) {
    return `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`;
  }
};

const runSign = async (
  session: Session,
  platform: SignedPlatform,
  file: string,
  { secretFile, topic, source = '', id = randomUUID() }: Options,
): Promise<number> => {
  const example = exampleTopics[platform];
  if (topic === undefined && example !== undefined)
    return usageError(session, `a delivery of ${platform} needs --topic, such as ${example}.`);
  if (platform === 'shopify' && source === '')
    return usageError(session, 'a delivery of shopify needs --source, the domain of the shop.');
  const secret = await readSecretFile(secretFile);
  if (!secret.ok) return usageError(session, secret.failure);
  const body = await readBody(file);
  if (typeof body === 'string') return usageError(session, body);
  const headers = signDelivery(platform, body, {
    secret: secret.value,
    topic: topic ?? '',
    source,
    id,
    at: Date.now(),
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  await session.terminal.print(session.json ? safeJson(headers, 2) : safeLines(lines.join('\n')));
  return exitCodes.ok;
};

/** Adds the command that signs a delivery by hand, as its platform signs it. */
export const addWebhooksSign = (program: Command, choose: (runner: Runner) => void): void => {
  const sign = program
    .command('webhooks')
    .description('Webhooks of shop platforms')
    .command('sign')
    .summary('Sign a delivery by hand')
    .description(
      'Prints the headers with which a platform posts a body. It sends nothing. Adobe and commercetools sign with keys of their own, so their deliveries cannot be signed by hand. VTEX signs nothing: put its token into the header x-webhook-token.',
    )
    .addArgument(new Argument('<platform>', 'The platform.').choices(signing))
    .argument('<body>', 'The file with the exact bytes; - reads stdin.')
    .requiredOption('--secret-file <file>', 'A file with the webhook secret, with the mode 0600.')
    .option('--topic <topic>', 'The topic, such as order.updated, where a header names it.')
    .option('--source <source>', 'The shop, where a header names it.')
    .option('--id <id>', 'The id of the delivery; a new one by default.');
  sign.action((platform: SignedPlatform, file: string) =>
    choose((session) => runSign(session, platform, file, sign.opts<Options>())),
  );
};
