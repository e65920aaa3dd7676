import type { ComponentChildren } from 'preact';

/** Browsers trust these hosts as https. The local stack has its files there. */
const localHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

const isWeb = (url: string): boolean => {
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || (protocol === 'http:' && localHosts.has(hostname));
  } catch {
    return false;
  }
};

/** A link to an address from data. Only https becomes a link: another scheme could run a script. */
export const CheckedLink = ({ url, children }: { url: string; children?: ComponentChildren }) =>
  isWeb(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      {children ?? url}
    </a>
  ) : (
    <span>{children ?? url}</span>
  );
