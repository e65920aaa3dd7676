import { environmentFile, shellWord } from './env-file.ts';
import type { StackInfo } from './stack-info.ts';
import type { Stack } from './stack.ts';
import type { StartOptions } from './start-command.ts';

/* The lines that a start prints at its end: the addresses, and the next step. */

/** Returns the address of a platform's webhooks. A platform without a shop on this machine has a source of the user. */
const hookOf = ({ hooks, shops, webhooks }: StackInfo, platform: string): string =>
  platform === 'shopify'
    ? webhooks.shopify.url
    : `${hooks.url}/webhooks/${platform}/${shops[platform]?.source ?? '{source}'}`;

/** The addresses of both modes. */
const modeLines = ({ info }: Stack, { platforms }: StartOptions): readonly string[] => [
  `Connected mode   ${info.connected.url}/v1   the integration of a Returns Service`,
  `Standalone mode  ${info.standalone.url}/v1   the Returns Service itself`,
  ...platforms
    .split(',')
    .map((platform, index) => `${index === 0 ? 'Webhooks' : '        '}         ${hookOf(info, platform)}`),
  `Shops            ${Object.keys(info.shops).join(', ')}   what happens there: shop ${Object.keys(info.shops).at(-1)} order`,
  ...(info.web === undefined
    ? []
    : [
        `Console          ${info.web.url}/console   sign in as ${info.console.users.map(({ name }) => name).join(', ')}`,
        `Reference        ${info.web.url}/docs`,
        `Withdrawals      ${info.web.url}/withdraw`,
      ]),
  `Events           ${info.aws.eventBridge}/events`,
];

/** The addresses of an adapter's deployment. */
const adapterLines = ({ info, service }: Stack): readonly string[] => [
  `Adapter          ${info.connected.url}/v1   the API of this bundle, with what ${service?.name} offers`,
  `Service          ${service?.url}${service?.path}   the service that it speaks to`,
  ...(info.web === undefined ? [] : [`Reference        ${info.web.url}/docs`]),
];

/** Returns the lines with the addresses of a stack, and with the next step. */
export const closing = (stack: Stack, options: StartOptions, id?: string): readonly string[] => [
  ...(options.offer === undefined ? modeLines(stack, options) : adapterLines(stack)),
  `Logs             ${options.dataDir}/logs/`,
  '',
  'In another terminal, in this folder:',
  `  source ${shellWord(environmentFile(options.dataDir))}`,
  `  api ${id === undefined ? '/health' : `/returns/${id}`} | pick status`,
  '',
  'Ctrl-C ends the stack.',
];
