import { join } from 'node:path';
import { streamArn } from '../template/cloudformation/deployment.ts';
import { audience, consoleAudience } from './emulators/identity-provider.ts';
import { consoleClient, integrationClient } from './emulators/identity-state.ts';
import type { ExternalServices } from './external-services.ts';
import type { ModeSettings } from './mode-process.ts';
import type { BuiltOptions } from './stack-options.ts';

/** Returns the settings of a mode: its template, its ports and its parameters. */
export const settingsOf = (
  mode: ModeSettings['mode'],
  {
    dataDir,
    root,
    streams = true,
    schedules = true,
    timeScale = 1,
    light = false,
    tokenAuthorizer = 'gateway',
    offer,
    onEvent,
  }: BuiltOptions,
  outside: ExternalServices,
  ports: ModeSettings['ports'],
  own: ModeSettings['parameters'] = {},
): ModeSettings => ({
  mode,
  dataDir,
  root,
  streams,
  schedules,
  timeScale,
  light,
  events: onEvent !== undefined,
  template: join(root, 'dist/package', offer?.folder ?? mode, 'cloudformation-template-update-stack.json'),
  aws: outside.endpoints,
  ports,
  parameters: {
    TokenIssuer: outside.identity.issuer,
    TokenAudience: audience,
    TokenAuthorizer: tokenAuthorizer,
    // The connected mode is the only client that writes platform facts to the service.
    ...(mode === 'standalone' && { PlatformClients: integrationClient, HistoryAnchors: 'on' }),
    ...(mode === 'connected' && {
      AuthUrl: outside.identity.issuer,
      ClientSecretId: 'returns/client',
    }),
    ...own,
  },
});

/** The operations for signed-in users, with the client of the console. */
export const users: ModeSettings['parameters'] = {
  WebApi: 'on',
  Console: 'on',
  ConsoleAudience: consoleAudience,
  ConsoleClients: consoleClient,
};

/** The tools for agents, at a rate that no test of other things reaches. */
export const agents = (webOrigin: string): ModeSettings['parameters'] => ({
  Mcp: 'on',
  McpCommandLimit: '6000',
  ConsoleUrl: `${webOrigin}/console`,
});

/** The public pages, at a rate that no test of other things reaches. */
export const publicPages: ModeSettings['parameters'] = {
  PublicPolicy: 'on',
  WithdrawPage: 'on',
  WithdrawPageRate: '1000',
  WithdrawPageBurst: '2000',
  ShopName: 'Example Shop',
  WithdrawalTimeZone: 'Europe/Berlin',
};

/** Returns the parameters with which a deployment uses an existing table. */
export const adoption = (table: string): ModeSettings['parameters'] => ({
  ExistingTable: table,
  ExistingTableStreamArn: streamArn(table),
});
