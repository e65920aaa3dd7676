import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Drives a real Chromium by the keyboard, over the DevTools protocol. No package of a browser is needed: the soak
 * requires an installed Chromium, and fails without one.
 * https://chromedevtools.github.io/devtools-protocol/
 */

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];

/** Returns the path of an installed browser: the one that `CHROMIUM` names, else the first that exists. */
export const browserPath = (): string => {
  const own = process.env['CHROMIUM'];
  const found = (own === undefined ? usualPaths : [own]).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error('This test needs Chrome, Chromium or Edge: install one, or set CHROMIUM to its path.');
  return found;
};

type Json = Readonly<Record<string, unknown>>;
type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: Json;
};

/** A node of the accessibility tree, as a screen reader gets it. */
export type AccessibleNode = {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, unknown>>;
};

type RawNode = {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly description?: { readonly value: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value: unknown } }[];
};

const keys = {
  Tab: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
} as const;

const connect = async (address: string) => {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  let last = 0;
  const waiting = new Map<number, (message: Message) => void>();
  const listeners = new Set<(message: Message) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id === undefined) for (const listener of listeners) listener(message);
    else waiting.get(message.id)?.(message);
  });
  const send = async (method: string, params: Json = {}, sessionId?: string): Promise<Json> => {
    const id = (last += 1);
    const { promise, resolve } = Promise.withResolvers<Message>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    const { error, result = {} } = await promise;
    waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  /** Resolves with the next event of a name. */
  const next = async (method: string): Promise<Json> => {
    const { promise, resolve } = Promise.withResolvers<Json>();
    const listener = (message: Message) => {
      if (message.method === method) resolve(message.params ?? {});
    };
    listeners.add(listener);
    return promise.finally(() => listeners.delete(listener));
  };
  return { send, next, listeners, close: () => socket.close() };
};

/** Starts the browser, and resolves with its address. */
const launch = async (profile: string) => {
  const child = spawn(
    browserPath(),
    ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Chromium ended: ${output}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { address, close };
};

/** Opens a page of a browser whose pages run no script. */
export const openBrowser = async ({ width }: { readonly width: number }) => {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  const browser = await launch(join(folder, 'profile'));
  const { send, next, listeners, close } = await connect(browser.address);
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const call = async (method: string, params?: Json) => send(method, params, String(sessionId));
  const complaints: string[] = [];
  listeners.add(({ method, params }) => {
    if (method === 'Log.entryAdded') complaints.push(JSON.stringify(params));
  });
  for (const domain of ['Page', 'Log', 'Accessibility']) await call(`${domain}.enable`);
  await call('Emulation.setScriptExecutionDisabled', { value: true });
  await call('Emulation.setDeviceMetricsOverride', { width, height: 640, deviceScaleFactor: 1, mobile: false });
  await send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, eventsEnabled: true });

  const loading = async (begin: Promise<unknown>) => {
    const loaded = next('Page.loadEventFired');
    await begin;
    await loaded;
  };
  const press = async (key: keyof typeof keys) => {
    await call('Input.dispatchKeyEvent', { type: 'keyDown', ...keys[key] });
    await call('Input.dispatchKeyEvent', { type: 'keyUp', ...keys[key] });
  };
  const nodes = async (): Promise<readonly AccessibleNode[]> => {
    const { nodes: raw } = (await call('Accessibility.getFullAXTree')) as { nodes: readonly RawNode[] };
    return raw
      .filter(({ ignored }) => !ignored)
      .map(({ role, name, description, properties = [] }) => ({
        role: role?.value ?? '',
        name: name?.value ?? '',
        description: description?.value ?? '',
        properties: Object.fromEntries(properties.map((property) => [property.name, property.value.value])),
      }));
  };
  return {
    /** What the browser reports as an error, such as a violation of the Content-Security-Policy. */
    complaints,
    open: async (url: string) => loading(call('Page.navigate', { url })),
    reload: async () => loading(call('Page.reload')),
    /** Goes back in the history of the window. */
    back: async () => {
      const { currentIndex, entries } = (await call('Page.getNavigationHistory')) as {
        readonly currentIndex: number;
        readonly entries: readonly { readonly id: number }[];
      };
      await loading(call('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1]?.id }));
    },
    /** Presses Tab. */
    tab: async () => press('Tab'),
    /** Presses Enter, which opens another page. */
    enter: async () => loading(press('Enter')),
    /** Presses Enter on a download, and resolves with the path of its file. */
    download: async (): Promise<string> => {
      const started = next('Browser.downloadWillBegin');
      const { promise: done, resolve } = Promise.withResolvers<void>();
      const listener = ({ method, params }: Message) => {
        if (method === 'Browser.downloadProgress' && params?.['state'] === 'completed') resolve();
      };
      listeners.add(listener);
      await press('Enter');
      const { suggestedFilename } = await started;
      await done;
      listeners.delete(listener);
      return join(folder, String(suggestedFilename));
    },
    type: async (text: string) => call('Input.insertText', { text }),
    nodes,
    focused: async (): Promise<AccessibleNode | undefined> =>
      (await nodes()).find(({ role, properties }) => role !== 'RootWebArea' && properties['focused'] === true),
    /** The width of the content, which is above that of the window where a page scrolls sideways. */
    contentWidth: async (): Promise<number> => {
      const { cssContentSize } = (await call('Page.getLayoutMetrics')) as { cssContentSize: { width: number } };
      return cssContentSize.width;
    },
    close: async () => {
      close();
      await browser.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

export type Browser = Awaited<ReturnType<typeof openBrowser>>;
