import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Loaded } from '../api/use-call.ts';
import { useTitle } from '../app/title.ts';
import { useRefresh } from '../app/use-refresh.ts';
import { common } from '../texts/common.ts';
import { BackLink } from './back-link.tsx';
import { Resource } from './resource.tsx';

type HeadText = {
  readonly title: ComponentChildren;
  /** The path of the screen above. */
  readonly back: string;
  readonly backText: string;
};

/** The head of a screen about one resource. `below` stands under the title, `children` are the buttons. */
export const DetailHead = ({
  title,
  back,
  backText,
  below,
  children,
  onReload,
}: HeadText & { below?: ComponentChildren; children?: ComponentChildren; onReload?: () => void }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(() => heading.current?.textContent);
  return (
    <header class="screen-head">
      <div>
        <BackLink to={back}>{backText}</BackLink>
        <h1 ref={heading} class="id-head">
          {title}
        </h1>
        {below !== undefined && <div class="row">{below}</div>}
      </div>
      {onReload !== undefined && (
        <div class="actions">
          {children}
          <button type="button" onClick={onReload}>
            {common().reload}
          </button>
        </div>
      )}
    </header>
  );
};

/** A resource as a whole screen, which stays up to date. Until it is read, the head has a title and the way back. */
export const Detail = <Value,>({
  of,
  children,
  ...head
}: HeadText & { of: Loaded<Value>; children: (value: Value) => ComponentChildren }) => {
  useRefresh(of.reload);
  return (
    <>
      {of.value === undefined && <DetailHead {...head} />}
      <Resource of={of}>{children}</Resource>
    </>
  );
};
