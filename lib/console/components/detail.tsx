import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/use-call.ts';
import { hrefOf } from '../app/router.ts';
import { common } from '../texts/common.ts';
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
}: HeadText & { below?: ComponentChildren; children?: ComponentChildren; onReload?: () => void }) => (
  <header class="screen-head">
    <div>
      <p class="fine crumb">
        <a href={hrefOf(back)}>{backText}</a>
      </p>
      <h1 class="id-head">{title}</h1>
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

/** A resource as a whole screen. Until it is read, the head has a title and the way back. */
export const Detail = <Value,>({
  of,
  children,
  ...head
}: HeadText & { of: Loaded<Value>; children: (value: Value) => ComponentChildren }) => (
  <>
    {of.value === undefined && <DetailHead {...head} />}
    <Resource of={of}>{children}</Resource>
  </>
);
