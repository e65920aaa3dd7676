import type { ConsoleConfig } from '../../contract/console.ts';

/** The deployment, as its function wrote it into the page. */
export const config = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="console-config"]')?.content ?? '{}',
) as ConsoleConfig;

/** The path below which the console has its addresses. */
export const consolePath = '/console';
