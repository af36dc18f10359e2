// Kept among the apps of a phone: what works while no page is open, and how many tables wait for me, on the app's sign.
// A page that somebody looks at says so when it becomes their turn: who has seen it need not be told elsewhere.

const installed = matchMedia('(display-mode: standalone)').matches;
const mine = () => document.getElementById('live')?.classList.contains('mine') ?? false;
let before = mine();

function badge(turns) {
  if (!('setAppBadge' in navigator)) return;
  // Where the system has no place for it, that is no fault of anybody's.
  (turns ? navigator.setAppBadge(turns) : navigator.clearAppBadge()).catch(() => {});
}

async function rememberPlayer() {
  const answer = await fetch('/active', { cache: 'no-store' }).catch(() => null); // the line says so when it is cut
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
