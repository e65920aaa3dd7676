import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from '../components/basics.tsx';
import { may } from '../session/session.ts';
import { common } from '../texts/common.ts';
import { fill } from '../texts/fill.ts';
import { loadTexts } from '../texts/language.ts';
import { hrefOf, path } from './router.ts';
import { findRoute, type Route } from './routes.ts';
import type { ScreenProps } from './screen-props.ts';
import { t } from './texts.ts';
import { ownTitle } from './title.ts';
import { useOnline } from './use-online.ts';

const Failure = ({ text }: { text: string }) => (
  <div class="notice notice-bad" role="alert">
    <p>{text}</p>
    <button type="button" onClick={() => window.location.reload()}>
      {common().reload}
    </button>
  </div>
);

/** Shows a message in place of a screen that throws, so that the navigation stays. A boundary must be a class. */
class Boundary extends Component<{ children: ComponentChildren }, { isBroken: boolean }> {
  override state = { isBroken: false };

  override componentDidCatch(error: unknown) {
    console.error(error);
    this.setState({ isBroken: true });
  }

  render() {
    return this.state.isBroken ? <Failure text={t().screen.failed} /> : this.props.children;
  }
}

type State = { readonly route: Route; readonly screen: ComponentType<ScreenProps> | 'missing' | 'offline' };

/** Waits for the connection. The browser never loads a file again that it could not load, so the page is loaded again. */
const Offline = () => {
  useOnline(() => window.location.reload());
  return (
    <p class="notice notice-warning" role="alert">
      {common().problem.offline}
    </p>
  );
};

/** What a person without the scope of a screen sees at its address. */
const MayNotOpen = ({ route }: { route: Route }) => {
  const { administrators, staff, mayNotOpen } = t().screen;
  const role = route.scope === 'returns:admin' ? administrators : staff;
  return (
    <>
      <div class="screen-head">
        <h1>{route.title()}</h1>
      </div>
      <div class="notice notice-warning">
        <p>{fill(mayNotOpen, { scope: route.scope, role })}</p>
        {may('returns:read') && <a href={hrefOf('/')}>{t().titles.queue}</a>}
      </div>
    </>
  );
};

/** The screen of the address. It loads the file of the screen first. */
export const CurrentScreen = () => {
  const found = findRoute(path.value);
  const [state, setState] = useState<State | undefined>();
  const route = found?.route;
  const title = ownTitle.value ?? route?.title();
  const isAllowed = route !== undefined && may(route.scope);
  useEffect(() => {
    if (route === undefined || !isAllowed) return undefined;
    // A person may open another screen before this one is loaded.
    let isWanted = true;
    const load = async () => {
      try {
        const [{ Screen }] = await Promise.all([route.load(), loadTexts()]);
        if (isWanted) setState({ route, screen: Screen });
      } catch (error) {
        console.error(error);
        if (isWanted) setState({ route, screen: navigator.onLine ? 'missing' : 'offline' });
      }
    };
    void load();
    return () => {
      isWanted = false;
    };
  }, [route, isAllowed]);
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Returns`;
  }, [title]);
  if (found === undefined) return <p class="empty">{common().notFound}</p>;
  if (!isAllowed) return <MayNotOpen route={found.route} />;
  if (state?.route !== route || state === undefined) return <Loading />;
  if (state.screen === 'offline') return <Offline />;
  if (state.screen === 'missing') return <Failure text={t().screen.notLoaded} />;
  const { screen: Screen } = state;
  return (
    <Boundary key={path.value}>
      <Screen id={found.id} part={found.part} />
    </Boundary>
  );
};
