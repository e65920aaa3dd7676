import type { ComponentChildren } from 'preact';

/** A link to an address from the data. Others than https, such as javascript:, are no links. */
export const SafeLink = ({ href, children }: { href: string | undefined; children: ComponentChildren }) => {
  if (href === undefined || !URL.canParse(href) || new URL(href).protocol !== 'https:') return null;
  return (
    <a href={href} rel="noreferrer" target="_blank">
      {children}
    </a>
  );
};
