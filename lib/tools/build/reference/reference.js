/** Each page has an address of its own: /docs/errors/return_not_found. A file has only the start page. */
const fromPath = () => /\/docs\/(?!index\.html$)(.+)$/.exec(location.pathname)?.[1] ?? '';

/** Exact hits come first, then names, titles, and pages that only mention the words. */
const rankOf = ({ short, name, title }, words) => {
  const query = words.join(' ');
  const heading = title.toLowerCase();
  const hits = [
    short === query || heading === query,
    short.startsWith(query),
    words.every((word) => name.includes(word)),
    words.every((word) => heading.includes(word)),
    words.some((word) => name.includes(word)),
    true,
  ];
  return hits.indexOf(true);
};

(() => {
  const articles = [...document.querySelectorAll('article')];
  const start = document.getElementById('start');
  const welcome = document.getElementById('welcome');
  const results = document.getElementById('results');
  const search = document.getElementById('search');
  const menu = document.getElementById('menu');
  const nav = document.getElementById('nav');
  const maxResults = 50;

  const texts = articles.map((article) => ({
    id: article.id,
    title: article.querySelector('h2').textContent,
    name: article.id.toLowerCase(),
    short: article.id.slice(article.id.indexOf('/') + 1).toLowerCase(),
    text: article.textContent.toLowerCase(),
  }));

  const show = (key) => {
    const article = articles.find(({ id }) => id === key);
    document.body.classList.add('one');
    for (const one of [...articles, start]) one.classList.toggle('shown', one === (article ?? start));
    for (const link of nav.querySelectorAll('a')) {
      const isCurrent = article !== undefined && link.hash === `#${key}`;
      if (isCurrent) {
        link.setAttribute('aria-current', 'page');
        link.closest('details').open = true;
        link.scrollIntoView({ block: 'nearest' });
      } else link.removeAttribute('aria-current');
    }
    document.title = article === undefined ? 'Returns Service reference' : `${key.split('/')[1]} - Returns Service`;
    nav.classList.remove('open');
    menu.setAttribute('aria-expanded', 'false');
    scrollTo(0, 0);
  };

  const open = () => {
    const key = decodeURIComponent(location.hash.slice(1) || fromPath());
    show(key);
    results.hidden = key === '' || articles.some(({ id }) => id === key);
    if (!results.hidden) results.replaceChildren(`There is no page ${key}. Search for one of its words.`);
  };

  const find = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = words.length === 0;
    welcome.hidden = words.length > 0;
    results.replaceChildren();
    if (words.length === 0) return open();
    const all = texts
      .filter(({ text, name }) => words.every((word) => text.includes(word) || name.includes(word)))
      .map((one) => ({ ...one, rank: rankOf(one, words) }))
      .toSorted((one, other) => one.rank - other.rank);
    for (const { id, title } of all.slice(0, maxResults)) {
      const link = Object.assign(document.createElement('a'), { href: `#${id}`, textContent: id });
      const note = Object.assign(document.createElement('small'), { textContent: title });
      const item = document.createElement('li');
      item.append(link, note);
      results.append(item);
    }
    if (all.length === 0) results.append('Nothing found.');
    if (all.length > maxResults) results.append(`${all.length - maxResults} more. Add a word.`);
    show('');
    results.hidden = false;
  };

  addEventListener('hashchange', () => {
    search.value = '';
    welcome.hidden = false;
    open();
  });
  search.addEventListener('input', find);
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === search) return;
    event.preventDefault();
    search.focus();
  });
  menu.addEventListener('click', () => {
    menu.setAttribute('aria-expanded', String(nav.classList.toggle('open')));
  });
  open();
})();
