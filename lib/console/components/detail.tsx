import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/use-call.ts';
import { hrefOf } from '../app/router.ts';
import { Resource } from './resource.tsx';

/** A resource as a whole screen. Until it is read, the head has a title and the way back. */
export const Detail = <Value,>({
  of,
  title,
  back,
  backText,
  children,
}: {
  of: Loaded<Value>;
  title: string;
  /** The path of the screen above. */
  back: string;
  backText: string;
  children: (value: Value) => ComponentChildren;
}) => (
  <>
    {of.value === undefined && (
      <header class="screen-head">
        <div>
          <p class="fine crumb">
            <a href={hrefOf(back)}>{backText}</a>
          </p>
          <h1>{title}</h1>
        </div>
      </header>
    )}
    <Resource of={of}>{children}</Resource>
  </>
);
