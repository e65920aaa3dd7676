import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import bundle from '#contract/console.json' with { type: 'json' };
import type { ConsoleConfig } from '../../contract/console.ts';
import { consoleConfig } from '../../runtime/configuration/edge-config.ts';
import { configured } from '../../runtime/container.ts';
import { escapeHtml } from '../../runtime/escape-html.ts';
import { log } from '../../runtime/log.ts';
import { compressedResponse } from './compressed.ts';
import { type HttpResponse, traceIdOf } from './event.ts';
import { problemResponse } from './problem.ts';

const config = configured(consoleConfig);

const assetPrefix = '/console/assets/';

const shared = {
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Encoding',
};

const assets: Readonly<Record<string, { readonly type: string; readonly gzip: string }>> = bundle.assets;

/** The name of an asset has a hash of its content, so a browser never asks again. */
const assetResponse = (event: APIGatewayProxyEventV2, name: string): HttpResponse | undefined => {
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  const headers = {
    ...shared,
    'content-type': asset?.type ?? '',
    'cache-control': 'public, max-age=31536000, immutable',
  };
  return asset && compressedResponse(event, headers, asset.gzip);
};

/**
 * The page loads only its own files. Scripts connect to this API, the issuer of the tokens, and the bucket of evidence
 * files. No script may turn a text into markup (Trusted Types).
 */
const policyOf = ({ issuerOrigin, origins, evidenceOrigin }: ReturnType<typeof config>): string => {
  const others = [...origins, ...(evidenceOrigin === undefined ? [] : [evidenceOrigin])];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${["'self'", issuerOrigin, ...others].join(' ')}`,
    `img-src ${["'self'", 'blob:', ...others].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
};

const page = (): HttpResponse => {
  const { issuer, clientId, audience, scopePrefix, mode } = config();
  const settings: ConsoleConfig = { issuer, clientId, audience, scopePrefix, mode };
  const preloads = bundle.preloads.map((name) => `<link rel="modulepreload" href="${assetPrefix}${name}">`);
  return {
    statusCode: 200,
    headers: {
      ...shared,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policyOf(config()),
      'cross-origin-resource-policy': 'same-origin',
      // A page that opened the console cannot replace it. The console still sees whether the window of a sign-in is open.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
    },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="console-config" content="${escapeHtml(JSON.stringify(settings))}">
<title>Returns</title>
<link rel="icon" href="${assetPrefix}${bundle.icon}">
<link rel="stylesheet" href="${assetPrefix}${bundle.style}">
${preloads.join('\n')}
<script type="module" src="${assetPrefix}${bundle.script}"></script>
<div id="app"></div>
<noscript>The console needs JavaScript.</noscript>
</html>
`,
  };
};

/**
 * Serves the console on the `web` API: its page at each address below `/console`, and its files. The page has no data:
 * its script signs a person in, and calls the operations of the same API.
 */
export const serveConsole =
  () =>
  async (event: APIGatewayProxyEventV2): Promise<HttpResponse> => {
    const { rawPath } = event;
    if (!rawPath.startsWith(assetPrefix)) return page();
    const response = assetResponse(event, rawPath.slice(assetPrefix.length));
    if (response !== undefined) return response;
    const traceId = traceIdOf(event.headers['traceparent']);
    log('info', 'page not found', { traceId });
    const detail = 'There is no such file. Load the page again: a newer release may have other files.';
    const errors = [{ path: '/path', code: 'unknown', message: 'must be a file of this release' }];
    const { domainName } = event.requestContext;
    return problemResponse({ code: 'invalid_request', detail, errors }, traceId, { domainName });
  };
