import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { common } from '../texts/common.ts';
import { formatDistance, formatMoney, formatTime } from '../texts/format.ts';

/** The tone of a label, which also has a text: colour alone tells nothing to some people. */
export type Tone = 'neutral' | 'active' | 'good' | 'warning' | 'bad';

/** A short label with a tone. */
export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge badge-${tone}`}>{children}</span>
);

/** An amount of money. */
export const Money = ({ of }: { of: { readonly amount: number; readonly currency: string } }) => (
  <span class="money">{formatMoney(of)}</span>
);

/** A time in the zone of the browser, with UTC on hover. */
export const Time = ({ at, relative = false }: { at: string; relative?: boolean }) => (
  <time dateTime={at} title={new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC')}>
    {relative ? formatDistance(at, Date.now()) : formatTime(at)}
  </time>
);

/** A line that says that something is being read. */
export const Loading = () => (
  <p class="loading" role="status">
    {common().loading}…
  </p>
);

/** A text for an empty list. */
export const Empty = ({ children }: { children?: ComponentChildren }) => (
  <p class="empty">{children ?? common().nothing}</p>
);

/** A part of a screen with a heading. */
export const Section = ({
  title,
  actions,
  children,
  id,
}: {
  title: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  id?: string;
}) => (
  <section class="section" {...(id !== undefined && { id })}>
    <header class="section-head">
      <h2>{title}</h2>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
    {children}
  </section>
);

/** A list of names and values. Rows without a value are left out. */
export const Facts = ({ rows }: { rows: readonly (readonly [ComponentChildren, ComponentChildren])[] }) => (
  <dl class="facts">
    {rows.map(([name, value], index) =>
      value === undefined || value === null || value === '' || value === false ? null : (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);

/** A button that copies a text. */
export const Copy = ({ text }: { text: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button type="button" class="link-button" onClick={() => void copy()}>
      {isCopied ? common().copied : common().copy}
    </button>
  );
};

/** A value as formatted JSON. */
export const Json = ({ value }: { value: unknown }) => (
  // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
  <pre class="json" tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
);
