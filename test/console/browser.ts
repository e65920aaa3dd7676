import { arch, platform } from 'node:os';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';
import { browserPath } from '../support/browser.ts';

/*
 * The browser of the journeys: the one inside an npm package on Linux x64, which needs nothing installed. Elsewhere it
 * is an installed one, such as Chrome or Edge.
 */

const executable = async (): Promise<string> => {
  const isPackaged = platform() === 'linux' && arch() === 'x64';
  return isPackaged && process.env['CHROMIUM'] === undefined ? chromium.executablePath() : browserPath();
};

/** Starts the browser without a window. */
export const startBrowser = async (): Promise<Browser> => {
  // The package tunes the browser for Lambda. On a computer its GPU flags only make pages slower to start.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return driver.launch({ executablePath: await executable(), args, headless: true });
};
