import type { Page } from 'playwright-core';

/** Opens a command of a return: a button of the bar, or one behind "More". */
export const openCommand = async (page: Page, name: string): Promise<void> => {
  const button = page.locator('.action-bar').getByRole('button', { name, exact: true });
  await page.locator('.action-bar').waitFor();
  if (!(await button.first().isVisible())) await page.locator('.more-actions summary').click();
  await button.first().click();
  await page.locator('dialog [type="submit"]').waitFor();
};

/** Reads what the command of the open dialog would change, sends it, and waits until the dialog closes. */
export const previewAndSend = async (page: Page, heading = 'What changes'): Promise<void> => {
  const dialog = page.getByRole('dialog');
  const title = await dialog.getByRole('heading').first().innerText();
  await dialog.getByText(heading, { exact: true }).waitFor();
  await dialog.getByRole('button', { name: title, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
};

/** Sends a command of a return with the entries that its form has. */
export const sendCommand = async (page: Page, name: string): Promise<void> => {
  await openCommand(page, name);
  await previewAndSend(page);
};

/** Waits for a status of a return. */
export const waitForStatus = async (page: Page, status: string): Promise<void> =>
  page.locator('main .badge').getByText(status, { exact: true }).first().waitFor();

/** Counts what a person does from now on: each click, and each Enter. Typing a text does not count. */
export const countActions = async (page: Page): Promise<void> =>
  page.evaluate(`window.actions = 0;
    addEventListener('click', ({ isTrusted, detail }) => { if (isTrusted && detail > 0) window.actions += 1; }, true);
    addEventListener('keydown', ({ isTrusted, key }) => { if (isTrusted && key === 'Enter') window.actions += 1; }, true);`);

/** Returns the number of actions since the count began. A reload of the page ends the count. */
export const actionsOf = async (page: Page): Promise<unknown> => page.evaluate('window.actions');
