import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/*
 * The browser of the journeys: the one inside an npm package on Linux x64, which needs nothing installed. Elsewhere it
 * is an installed Chrome or Edge.
 */

const installed: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/microsoft-edge'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
    String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
  ],
};

const executable = async (): Promise<string> => {
  const own = process.env['CHROMIUM'];
  if (own !== undefined) return own;
  if (platform() === 'linux' && arch() === 'x64') return chromium.executablePath();
  const found = installed[platform()]?.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error('The journeys need Chrome or Edge: install one, or set the variable CHROMIUM to its path.');
  return found;
};

/** Starts the browser without a window. */
export const startBrowser = async (): Promise<Browser> => {
  // The package tunes the browser for Lambda. On a computer its GPU flags only make pages slower to start.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return driver.launch({ executablePath: await executable(), args, headless: true });
};
