// Hot seat: a page from the history of this tab may belong to another player of this device. If so, or if the device has been handed
// on since, show the handoff screen.

const [, table] = location.pathname.match(/^(\/table\/[^/]+)/) ?? [];
const me = () => new URLSearchParams(location.search).get('me') ?? '';
const key = `looks ${table}`;

function lastPlayer() {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // storage is disabled
  }
}

function rememberPlayer() {
  try {
    if (me() || lastPlayer()) sessionStorage.setItem(key, me());
  } catch {
    // without storage, every page from the history shows the handoff screen
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
