// For an installed app: registers the service worker and shows on the app's icon how many tables wait for the player. Asking the
// server while a page is visible also tells it that the player has seen the turn, so that no alert is sent.

import { inSite } from './site-path.js';

const isInstalled = matchMedia('(display-mode: standalone)').matches;
const isMyTurn = () => document.getElementById('live-part')?.classList.contains('is-my-turn') ?? false;
let wasMyTurn = isMyTurn();

function setBadge(turnCount) {
  if (!('setAppBadge' in navigator)) return;
  // Some systems accept no number on the icon.
  (turnCount ? navigator.setAppBadge(turnCount) : navigator.clearAppBadge()).catch(() => {});
}

async function reportActivity() {
  const response = await fetch(inSite('/active'), { cache: 'no-store' }).catch(() => null); // a lost connection is reported by the stream
  if (response?.ok) setBadge((await response.json()).turns);
}

function updateBadge() {
  const { waitingTurns: turnCount } = document.getElementById('live-part')?.dataset ?? {};
  if (turnCount !== undefined) setBadge(Number(turnCount));
  const isMyTurnNow = isMyTurn();
  if (isMyTurnNow !== wasMyTurn && !document.hidden) reportActivity();
  wasMyTurn = isMyTurnNow;
}

if (isInstalled) navigator.serviceWorker?.register(inSite('/service-worker.js'));
document.addEventListener('spieltisch:page-updated', updateBadge);
document.addEventListener('visibilitychange', () => { if (!document.hidden && document.getElementById('live-part')) reportActivity(); });
updateBadge();
