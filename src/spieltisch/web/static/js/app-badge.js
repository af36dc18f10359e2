// For an installed app: registers the service worker and shows on the app's icon how many tables wait for the player. Asking the
// server while a page is visible also tells it that the player has seen the turn, so that no alert is sent.

const installed = matchMedia('(display-mode: standalone)').matches;
const mine = () => document.getElementById('live')?.classList.contains('mine') ?? false;
let before = mine();

function badge(turns) {
  if (!('setAppBadge' in navigator)) return;
  // Some systems accept no number on the icon.
  (turns ? navigator.setAppBadge(turns) : navigator.clearAppBadge()).catch(() => {});
}

async function rememberPlayer() {
  const answer = await fetch('/active', { cache: 'no-store' }).catch(() => null); // a lost connection is reported by the stream
  if (answer?.ok) badge((await answer.json()).turns);
}

function changed() {
  const { turns } = document.getElementById('live')?.dataset ?? {};
  if (turns !== undefined) badge(Number(turns));
  const now = mine();
  if (now !== before && !document.hidden) rememberPlayer();
  before = now;
}

if (installed) navigator.serviceWorker?.register('/service-worker.js');
document.addEventListener('spieltisch:changed', changed);
document.addEventListener('visibilitychange', () => { if (!document.hidden && document.getElementById('live')) rememberPlayer(); });
changed();
