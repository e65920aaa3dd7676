import { signal } from '@preact/signals';
import { signInState } from '../session/page-sign-in.ts';
import { abandonRenewal } from '../session/renew.ts';
import { may, personName, session } from '../session/session.ts';
import { chooseLanguage, language, languages } from '../texts/language.ts';
import { Bell } from './bell.tsx';
import { hrefOf, path } from './router.ts';
import { findRoute, routes } from './routes.ts';
import { t } from './texts.ts';

const themes = ['system', 'light', 'dark'] as const;

type Theme = (typeof themes)[number];

const storageKey = 'returns-theme';

const isTheme = (value: string | null): value is Theme => themes.some((name) => name === value);

const stored = localStorage.getItem(storageKey);

const theme = signal<Theme>(isTheme(stored) ? stored : 'system');

/** Chooses the colours for this browser. */
const chooseTheme = (chosen: string): void => {
  if (!isTheme(chosen)) return;
  localStorage.setItem(storageKey, chosen);
  theme.value = chosen;
};

theme.subscribe((chosen) => {
  document.documentElement.style.colorScheme = chosen === 'system' ? 'light dark' : chosen;
});

/** Forgets the token. The session at the issuer stays: the next sign-in may need no password. */
const signOut = () => {
  // A sign-in in a window must not end the sign-out.
  abandonRenewal();
  signInState.value = 'signed-out';
  session.value = undefined;
};

const Account = () => (
  <details class="account">
    <summary aria-label={`${t().header.account}: ${personName.value}`}>{personName.value}</summary>
    <div class="account-menu">
      <label>
        {t().header.language}
        <select value={language.value} onChange={(event) => chooseLanguage(event.currentTarget.value)}>
          {Object.entries(languages).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t().header.theme}
        <select value={theme.value} onChange={(event) => chooseTheme(event.currentTarget.value)}>
          {themes.map((name) => (
            <option key={name} value={name}>
              {t().header[name]}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={signOut}>
        {t().header.signOut}
      </button>
    </div>
  </details>
);

/** The navigation between the screens that the scopes of the person allow. */
export const Header = () => {
  const current = findRoute(path.value)?.route;
  return (
    <header class="top">
      <a class="brand" href={hrefOf('/')}>
        Returns
      </a>
      <nav aria-label={t().header.navigation}>
        {routes
          .filter(({ inNavigation, scope }) => inNavigation && may(scope))
          .map(({ screen, title }) => (
            <a
              key={screen}
              href={hrefOf(`/${screen}`)}
              // A screen without a place of its own belongs to the returns.
              {...((current?.screen === screen || (screen === '' && current?.inNavigation === false)) && {
                'aria-current': current?.screen === screen ? ('page' as const) : true,
              })}
            >
              {title()}
            </a>
          ))}
      </nav>
      {may('returns:read') && <Bell />}
      <Account />
    </header>
  );
};
