// Says that it is one's turn, as the person likes it: by a bell, by a notification of the browser.

const wishes = document.documentElement.dataset;
const mine = () => document.getElementById('live')?.classList.contains('mine') ?? false;
let before = mine();

// A small bell, made of two fading tones: no sound file is needed. Browsers allow it once the page has been touched.
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

// Many tabs may follow one table: the tag keeps it at one notification.
function notify() {
  const live = document.getElementById('live');
  const shown = new Notification(document.title.replace('● ', ''), { tag: live.dataset.table, icon: document.querySelector('link[rel=icon]').href });
  shown.onclick = () => { window.focus(); shown.close(); };
}

document.addEventListener('spieltisch:changed', () => {
  const now = mine();
  if (now && !before) {
    document.dispatchEvent(new CustomEvent('spieltisch:turn'));
    if ('sound' in wishes) ring();
    if ('notify' in wishes && document.hidden && 'Notification' in window && Notification.permission === 'granted') notify();
  }
  before = now;
});
