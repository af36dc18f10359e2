// Several people on one device: a page of this tab's history shows its side only to who looks now. Whoever goes back to one
// of another's, or behind a curtain that has been drawn since, comes before the curtain.

const [, table] = location.pathname.match(/^(\/table\/[^/]+)/) ?? [];
const me = () => new URLSearchParams(location.search).get('me') ?? '';
const key = `looks ${table}`;

function lastPlayer() {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // nothing may be stored here
  }
}

function rememberPlayer() {
  try {
    if (me() || lastPlayer()) sessionStorage.setItem(key, me());
  } catch {
    // then every page of the history comes before the curtain
  }
}

function checkRestored() {
  if (!me() || lastPlayer() === me()) return rememberPlayer();
  document.documentElement.hidden = true;
  location.replace(table);
}

if (table) {
  (performance.getEntriesByType('navigation')[0]?.type === 'back_forward' ? checkRestored : rememberPlayer)();
  addEventListener('pageshow', (event) => { if (event.persisted) checkRestored(); });
}
