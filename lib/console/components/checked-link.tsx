import type { ComponentChildren } from 'preact';

/** Browsers trust these hosts as https. The local stack has its files there. */
const localHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/** Whether an address from data may become a link. Only https may: another scheme could run a script. */
export const isWebAddress = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && localHosts.has(hostname));
};

/** A link to an address from data. An address that is no link appears as text. */
export const CheckedLink = ({ url, children }: { url: string | undefined; children?: ComponentChildren }) => {
  if (url === undefined) return null;
  return isWebAddress(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      {children ?? url}
    </a>
  ) : (
    <span>{children ?? url}</span>
  );
};
