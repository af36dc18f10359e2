// Hot seat: a page from the history of this tab may belong to another player of this device. If so, or if the device has been handed
// on since, show the handoff screen.

import { sitePath } from './site-path.js';

const [tableInSite] = location.pathname.slice(sitePath.length).match(/^\/table\/[^/]+/) ?? [];
const tablePath = tableInSite && sitePath + tableInSite;
const getCurrentPlayer = () => new URLSearchParams(location.search).get('me') ?? '';
const storageKey = `looks ${tablePath}`;

function readLastPlayer() {
  try {
    return sessionStorage.getItem(storageKey);
  } catch {
    return null; // storage is disabled
  }
}

function rememberPlayer() {
  try {
    if (getCurrentPlayer() || readLastPlayer()) sessionStorage.setItem(storageKey, getCurrentPlayer());
  } catch {
    // without storage, every page from the history shows the handoff screen
  }
}

function checkRestoredPage() {
  if (!getCurrentPlayer() || readLastPlayer() === getCurrentPlayer()) return rememberPlayer();
  document.documentElement.hidden = true;
  location.replace(tablePath);
}

if (tablePath) {
  (performance.getEntriesByType('navigation')[0]?.type === 'back_forward' ? checkRestoredPage : rememberPlayer)();
  addEventListener('pageshow', (event) => { if (event.persisted) checkRestoredPage(); });
}
