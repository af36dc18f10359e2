// Several people on one device: a page of this tab's history shows its side only to who looks now. Whoever goes back to one
// of another's, or behind a curtain that has been drawn since, comes before the curtain.

const [, table] = location.pathname.match(/^(\/table\/[^/]+)/) ?? [];
const me = () => new URLSearchParams(location.search).get('me') ?? '';
const key = `looks ${table}`;

function looks() {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // nothing may be stored here
  }
}

function look() {
  try {
    if (me() || looks()) sessionStorage.setItem(key, me());
  } catch {
    // then every page of the history comes before the curtain
  }
}

function restored() {
  if (!me() || looks() === me()) return look();
  document.documentElement.hidden = true;
  location.replace(table);
}

if (table) {
  (performance.getEntriesByType('navigation')[0]?.type === 'back_forward' ? restored : look)();
  addEventListener('pageshow', (event) => { if (event.persisted) restored(); });
}
