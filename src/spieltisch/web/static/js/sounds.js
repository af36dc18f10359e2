// Quiet sounds for players who have switched them on: a piece is placed, something is gained, the turn begins, the game ends. They are
// synthesised from fading tones, without files. Browsers allow them after the first touch of the page.

const SOUNDS = { // frequencies in hertz, volume, start in seconds, duration in seconds
  place: [[190, 0.12, 0, 0.09], [95, 0.1, 0, 0.12]],
  coin: [[1320, 0.035, 0, 0.25], [1980, 0.03, 0.05, 0.3]],
  turn: [[523, 0.05, 0, 0.5], [784, 0.04, 0.14, 0.6]],
  end: [[392, 0.05, 0, 0.9], [494, 0.05, 0.18, 0.9], [587, 0.05, 0.36, 1.1]],
};
const wishes = document.documentElement.dataset;
const live = () => document.getElementById('live');
const state = () => ({ mine: live()?.classList.contains('mine'), over: live()?.classList.contains('finished') });
let context = null;
let before = state();

export function sound(name) {
  if (!('sounds' in wishes) || document.hidden) return;
  context ??= new AudioContext();
  for (const [tone, loudness, after, long] of SOUNDS[name]) {
    const [voice, fade] = [context.createOscillator(), context.createGain()];
    const at = context.currentTime + after;
    voice.frequency.value = tone;
    fade.gain.setValueAtTime(loudness, at);
    fade.gain.exponentialRampToValueAtTime(0.0001, at + long);
    voice.connect(fade).connect(context.destination);
    voice.start(at);
    voice.stop(at + long);
  }
  document.dispatchEvent(new CustomEvent('spieltisch:sound', { detail: name }));
}

// The sound of a move: a gain, or a piece placed on the board.
export function soundOf({ dataset }) {
  if (dataset.animations) sound(/,(board|player|share)-[^, ]+( |$)/.test(dataset.animations) ? 'coin' : 'place');
}

document.addEventListener('spieltisch:changed', () => {
  const now = state();
  if (now.over && !before.over) sound('end');
  else if (now.mine && !before.mine && !('sound' in wishes)) sound('turn'); // the bell already rings
  before = now;
});
