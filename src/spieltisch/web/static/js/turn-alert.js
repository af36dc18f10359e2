// Announces that it is the player's turn, or that their table or analysis is ready, as they prefer: by a bell, or by a notification of the
// browser.
import { claimBell } from './stream.js';

const preferences = document.documentElement.dataset;
const isMyTurn = () => document.getElementById('live-part')?.classList.contains('is-my-turn') ?? false;
let wasMyTurn = isMyTurn();

// A small bell of two fading tones, without a file. Browsers allow it after the first touch of the page.
function ringBell() {
  const audioContext = new AudioContext();
  const startTime = audioContext.currentTime;
  let lastOscillator;
  for (const [frequency, volume] of [[880, 0.2], [1760, 0.08]]) {
    const oscillator = audioContext.createOscillator();
    const gainNode = audioContext.createGain();
    oscillator.frequency.value = frequency;
    gainNode.gain.setValueAtTime(volume, startTime);
    gainNode.gain.exponentialRampToValueAtTime(0.0001, startTime + 1.2);
    oscillator.connect(gainNode).connect(audioContext.destination);
    oscillator.start(startTime);
    oscillator.stop(startTime + 1.2);
    lastOscillator = oscillator;
  }
  lastOscillator.onended = () => audioContext.close();
}

// Several tabs may show one table: with the tag there is only one notification.
async function showNotification(tableUrl, title) {
  const notificationOptions = { tag: tableUrl, icon: document.querySelector('link[rel=icon]').href };
  try {
    const notification = new Notification(title, notificationOptions);
    notification.onclick = () => { window.focus(); notification.close(); };
  } catch {
    // Chrome on Android allows notifications only from a service worker.
    const registration = await navigator.serviceWorker?.getRegistration().catch(() => null);
    await registration?.showNotification(title, notificationOptions).catch(() => {});
  }
}

export async function announce({ topic, version, tableUrl, title = document.title.replace('● ', '') }) {
  if ('hasTurnNotification' in preferences && document.hidden && 'Notification' in window && Notification.permission === 'granted') showNotification(tableUrl, title);
  const isTouched = navigator.userActivation?.hasBeenActive ?? true;
  const isRinging = 'hasTurnSound' in preferences && await claimBell(topic, Number(version), isTouched);
  if (isRinging) ringBell();
  document.dispatchEvent(new CustomEvent('spieltisch:turn-announced', { detail: { isRinging } }));
}

document.addEventListener('spieltisch:page-updated', () => {
  const isMyTurnNow = isMyTurn();
  const hasTurnBegun = isMyTurnNow && !wasMyTurn;
  wasMyTurn = isMyTurnNow;
  if (hasTurnBegun) announce(document.getElementById('live-part').dataset);
});

const analysesNotice = document.getElementById('analyses-notice');
const findAnalyses = () => [...analysesNotice?.querySelectorAll('a') ?? []];
let knownAnalyses = findAnalyses().map((link) => link.href);
analysesNotice?.addEventListener('spieltisch:fragment-updated', () => {
  const newLink = findAnalyses().find((link) => !knownAnalyses.includes(link.href));
  knownAnalyses = findAnalyses().map((link) => link.href);
  if (newLink) announce({ ...analysesNotice.dataset, tableUrl: newLink.href, title: newLink.textContent });
});
