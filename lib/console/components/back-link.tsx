import type { ComponentChildren } from 'preact';
import { hrefOf, kept } from '../app/router.ts';

/**
 * The way back to a list. To a list from which the person came, it is a step back: the filters, the rows and the focus
 * are as before.
 */
export const BackLink = ({ to, children }: { to: string; children: ComponentChildren }) => {
  const { from } = kept.value;
  const isBack = from?.split('?', 1)[0] === to;
  return (
    <p class="fine crumb">
      <a
        href={hrefOf(isBack ? from : to)}
        onClick={(event) => {
          if (!isBack || event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          window.history.back();
        }}
      >
        {children}
      </a>
    </p>
  );
};
