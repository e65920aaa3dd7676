import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen } from '../ports.ts';
import { forPrograms } from './web-page.ts';

/*
 * A proxy that adds versions to the emulator of S3, which has none. It stores each version of an object below
 * `.versions/`, and a copy of the latest one at the key itself.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/versioning-workflows.html
 */

const folder = '.versions/';
/** The version of an object that was stored before the bucket had versions. It sorts after all others. */
const unversioned = 'null';
const marker = '-marker';

type Version = { readonly key: string; readonly id: string };
type Content = { readonly body: Uint8Array<ArrayBuffer>; readonly type: string };

let last = 0;
/** Returns a new id. Later ids sort first. */
const nextId = (): string => {
  last = Math.max(last + 1, Date.now() * 1_000);
  return String(Number.MAX_SAFE_INTEGER - last).padStart(16, '0');
};

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const isMarker = ({ id }: Version): boolean => id.endsWith(marker);

const pathOf = ({ key, id }: Version): string => `${folder}${key}/${id}`;

/** The objects of a bucket in the emulator. */
const openBucket = (url: string) => {
  const keysWith = async (prefix: string): Promise<readonly string[]> => {
    const keys: string[] = [];
    for (let page: readonly string[] = [''], after = ''; page.length > 0; after = keys.at(-1) ?? '') {
      const query = new URLSearchParams({ 'list-type': '2', prefix, ...(after !== '' && { 'start-after': after }) });
      const listing = await (await fetch(`${url}?${query.toString()}`)).text();
      page = Array.from(listing.matchAll(/<Key>([^<]+)<\/Key>/g), ([, key = '']) => key);
      keys.push(...page);
    }
    return keys;
  };

  const get = async (key: string): Promise<Content | undefined> => {
    const { status, headers, body } = await fetch(`${url}/${key}`).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      body: new Uint8Array(await response.arrayBuffer()),
    }));
    return status === 200 ? { body, type: headers.get('content-type') ?? 'binary/octet-stream' } : undefined;
  };
  const put = async (key: string, { body, type }: Content): Promise<number> =>
    (await fetch(`${url}/${key}`, { method: 'PUT', headers: { 'content-type': type }, body })).status;
  const remove = async (key: string): Promise<void> => void (await fetch(`${url}/${key}`, { method: 'DELETE' }));

  /** Returns the versions and delete markers with a prefix: by key, the latest first. */
  const versionsWith = async (prefix: string): Promise<readonly Version[]> => {
    const stored = (await keysWith(`${folder}${prefix}`)).map((path): Version => {
      const end = path.lastIndexOf('/');
      return { key: path.slice(folder.length, end), id: path.slice(end + 1) };
    });
    const known = new Set(stored.map(({ key }) => key));
    const plain = (await keysWith(prefix)).filter((key) => !key.startsWith(folder) && !known.has(key));
    return [...stored, ...plain.map((key) => ({ key, id: unversioned }))].toSorted(
      (a, b) => compare(a.key, b.key) || compare(a.id, b.id),
    );
  };
  const versionsOf = async (key: string): Promise<readonly Version[]> =>
    (await versionsWith(key)).filter((version) => version.key === key);

  /** Stores the present object as a version, if it was stored before the bucket had versions. */
  const keepPlain = async (key: string): Promise<void> => {
    const [version, ...others] = await versionsOf(key);
    const content = version?.id === unversioned && others.length === 0 ? await get(key) : undefined;
    if (content !== undefined) await put(pathOf({ key, id: unversioned }), content);
  };

  return {
    versionsWith,
    getVersion: async (version: Version) =>
      (await get(pathOf(version))) ?? (version.id === unversioned ? get(version.key) : undefined),
    putVersion: async (key: string, content: Content): Promise<number> => {
      await keepPlain(key);
      await put(pathOf({ key, id: nextId() }), content);
      return put(key, content);
    },
    /** Hides an object behind a delete marker. */
    hide: async (key: string): Promise<void> => {
      await keepPlain(key);
      await put(pathOf({ key, id: `${nextId()}${marker}` }), { body: new Uint8Array(1), type: 'text/plain' });
      await remove(key);
    },
    /** Deletes a version for good. The version before it becomes the latest. */
    removeVersion: async (version: Version): Promise<void> => {
      await remove(pathOf(version));
      const latest = (await versionsOf(version.key)).find(({ id }) => id !== version.id);
      const content = latest === undefined || isMarker(latest) ? undefined : await get(pathOf(latest));
      if (content === undefined) await remove(version.key);
      else await put(version.key, content);
    },
  };
};

const entryOf = (version: Version, isLatest: boolean): string => {
  const tag = isMarker(version) ? 'DeleteMarker' : 'Version';
  return `<${tag}><Key>${version.key}</Key><VersionId>${version.id}</VersionId><IsLatest>${isLatest}</IsLatest></${tag}>`;
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html */
const listVersions = async (bucket: ReturnType<typeof openBucket>, query: URLSearchParams): Promise<string> => {
  const versions = await bucket.versionsWith(query.get('prefix') ?? '');
  const [afterKey, afterId] = [query.get('key-marker'), query.get('version-id-marker')];
  const begin =
    afterKey === null
      ? 0
      : versions.findIndex(({ key, id }) => key > afterKey || (key === afterKey && afterId !== null && id > afterId));
  const page = begin < 0 ? [] : versions.slice(begin, begin + Number(query.get('max-keys') ?? 1_000));
  const entries = page.map((version) => entryOf(version, versions.find(({ key }) => key === version.key) === version));
  const last = begin + page.length < versions.length ? page.at(-1) : undefined;
  const next =
    last === undefined
      ? '<IsTruncated>false</IsTruncated>'
      : `<IsTruncated>true</IsTruncated><NextKeyMarker>${last.key}</NextKeyMarker><NextVersionIdMarker>${last.id}</NextVersionIdMarker>`;
  return `<?xml version="1.0" encoding="UTF-8"?><ListVersionsResult>${next}${entries.join('')}</ListVersionsResult>`;
};

/** Forwards a request as it is. A listing leaves out the stored versions. */
const forward = async (url: URL, request: IncomingMessage, body: Content, response: ServerResponse): Promise<void> => {
  const { method = 'GET' } = request;
  const answer = await fetch(url, {
    method,
    ...(method === 'PUT' && { headers: { 'content-type': body.type }, body: body.body }),
  });
  const content = Buffer.from(await answer.arrayBuffer());
  const hidden = /<Contents>(?:(?!<\/Contents>).)*?<Key>\.versions\/.*?<\/Contents>/gs;
  const shown = url.searchParams.has('list-type') ? Buffer.from(content.toString().replaceAll(hidden, '')) : content;
  const type = answer.headers.get('content-type');
  response.writeHead(answer.status, { ...(type !== null && { 'content-type': type }) }).end(shown);
};

/**
 * Starts the proxy in front of an emulator. A bucket has versions after a PUT of `?versioning`, as at S3. Changes of
 * versions run one after the other.
 *
 * @param upstream origin of the emulator
 */
export const startVersions = async (upstream: string) => {
  const versioned = new Set<string>();
  let writing: Promise<unknown> = Promise.resolve();
  const inTurn = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const turn = writing.then(run, run);
    writing = turn.catch(() => undefined);
    return turn;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', upstream);
    const { method } = request;
    const [name = '', ...path] = url.pathname.slice(1).split('/');
    const key = path.join('/');
    const { 'content-type': type = 'binary/octet-stream' } = request.headers;
    const content: Content = { body: new Uint8Array(await buffer(request)), type };
    const query = url.searchParams;
    if (method === 'PUT' && key === '' && query.has('versioning')) {
      versioned.add(name);
      return void response.writeHead(200).end();
    }
    if (!versioned.has(name)) return forward(url, request, content, response);
    const bucket = openBucket(`${upstream}/${name}`);
    const id = query.get('versionId');
    if (method === 'GET' && query.has('versions'))
      return void response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(await inTurn(async () => listVersions(bucket, query)));
    if (method === 'GET' && id !== null) {
      const found = await bucket.getVersion({ key, id });
      return void response.writeHead(found === undefined ? 404 : 200).end(found?.body);
    }
    if (method === 'PUT' && key !== '')
      return void response.writeHead(await inTurn(async () => bucket.putVersion(key, content))).end();
    if (method === 'DELETE' && key !== '') {
      await inTurn(async () => (id === null ? bucket.hide(key) : bucket.removeVersion({ key, id })));
      return void response.writeHead(204).end();
    }
    return forward(url, request, content, response);
  };

  const server = createServer(forPrograms(answer));
  const url = await listen(server, 0);
  return { url, close: async () => closeServer(server) };
};
