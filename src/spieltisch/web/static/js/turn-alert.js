// Announces that it is the player's turn, as they prefer: by a bell, or by a notification of the browser.
import { claimBell } from './stream.js';

const wishes = document.documentElement.dataset;
const mine = () => document.getElementById('live')?.classList.contains('mine') ?? false;
let before = mine();

// A small bell of two fading tones, without a file. Browsers allow it after the first touch of the page.
function ring() {
  const context = new AudioContext();
  const now = context.currentTime;
  let last;
  for (const [tone, loudness] of [[880, 0.2], [1760, 0.08]]) {
    const voice = context.createOscillator();
    const fade = context.createGain();
    voice.frequency.value = tone;
    fade.gain.setValueAtTime(loudness, now);
    fade.gain.exponentialRampToValueAtTime(0.0001, now + 1.2);
    voice.connect(fade).connect(context.destination);
    voice.start(now);
    voice.stop(now + 1.2);
    last = voice;
  }
  last.onended = () => context.close();
}

// Several tabs may show one table: with the tag there is only one notification.
async function notify() {
  const live = document.getElementById('live');
  const title = document.title.replace('● ', '');
  const options = { tag: live.dataset.table, icon: document.querySelector('link[rel=icon]').href };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => { window.focus(); shown.close(); };
  } catch {
    // Chrome on Android allows notifications only from a service worker.
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => null);
    await worker?.showNotification(title, options).catch(() => {});
  }
}

async function tell({ topic, version }) {
  if ('notify' in wishes && document.hidden && 'Notification' in window && Notification.permission === 'granted') notify();
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  const chosen = 'sound' in wishes && await claimBell(topic, Number(version), touched);
  if (chosen) ring();
  document.dispatchEvent(new CustomEvent('spieltisch:turn', { detail: { rings: chosen } }));
}

document.addEventListener('spieltisch:changed', () => {
  const now = mine();
  const comes = now && !before;
  before = now;
  if (comes) tell(document.getElementById('live').dataset);
});
