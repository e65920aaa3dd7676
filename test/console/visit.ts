import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { stack } from '../support/stack.ts';
import { timeScale } from '../support/slow-limits.ts';
import { type auditor, type author, type operator, webUrl } from '../support/users.ts';

/** A person of the local stack. */
export type Person = typeof operator | typeof author | typeof auditor;

/** How a person uses the console in a journey. */
export type Visit = {
  readonly mode?: Mode;
  readonly locale?: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'dark' | 'light';
  readonly forcedColors?: 'active';
  readonly timezoneId?: string;
};

/** A tab of a person, and what the browser complained about. */
export type Tab = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Violations of the policy, uncaught errors and failed files. A journey ends with none. */
  readonly complaints: string[];
  /** Opens an address below `/console`. */
  readonly open: (path: string) => Promise<void>;
};

const isComplaint = (text: string): boolean =>
  /content security policy|trusted ?type|refused to|uncaught|is not a function/i.test(text);

const watch = (page: Page, complaints: string[]): void => {
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (isComplaint(message.text())) complaints.push(message.text());
  });
};

/** Signs a person in at the page of the local issuer. */
export const signInAs = async (page: Page, person: Person): Promise<void> => {
  const { name } = stack().console.users.find(({ id }) => id === person) ?? { name: '' };
  await page.getByRole('button', { name }).click();
  await page.locator('header.top').waitFor();
};

/** Opens the console in a new profile of the browser, signed in as a person. */
export const openConsole = async (
  browser: Browser,
  person: Person,
  { mode = 'standalone', width = 1280, height = 800, ...visit }: Visit = {},
  path = '/',
): Promise<Tab> => {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', ...visit });
  context.setDefaultTimeout(10_000 * timeScale);
  const complaints: string[] = [];
  context.on('page', (page) => watch(page, complaints));
  const page = await context.newPage();
  const open = async (to: string) => {
    await page.goto(`${webUrl(mode)}/console${to.replace(/^\/(?=\?|$)/, '')}`);
  };
  await open(path);
  await signInAs(page, person);
  return { page, context, complaints, open };
};

/** Ends a visit, and returns what the browser complained about. */
export const endVisit = async ({ context, complaints }: Tab): Promise<readonly string[]> => {
  await context.close();
  return complaints;
};
