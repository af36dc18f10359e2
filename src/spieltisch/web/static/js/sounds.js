// Quiet sounds for players who have switched them on: a piece is placed, something is gained, the turn begins, the game ends. They are
// synthesised from fading tones, without files. Browsers allow them after the first touch of the page.

const SOUND_TONES = { // frequencies in hertz, volume, start in seconds, duration in seconds
  place: [[190, 0.12, 0, 0.09], [95, 0.1, 0, 0.12]],
  coin: [[1320, 0.035, 0, 0.25], [1980, 0.03, 0.05, 0.3]],
  turn: [[523, 0.05, 0, 0.5], [784, 0.04, 0.14, 0.6]],
  end: [[392, 0.05, 0, 0.9], [494, 0.05, 0.18, 0.9], [587, 0.05, 0.36, 1.1]],
};
const preferences = document.documentElement.dataset;
const getLivePart = () => document.getElementById('live-part');
const getSoundState = () => ({ isMyTurn: getLivePart()?.classList.contains('is-my-turn'), isOver: getLivePart()?.classList.contains('status-finished') });
let audioContext = null;
let previousSoundState = getSoundState();

export function playSound(soundName) {
  if (!('hasPieceSounds' in preferences) || document.hidden) return;
  audioContext ??= new AudioContext();
  for (const [frequency, volume, delay, duration] of SOUND_TONES[soundName]) {
    const [oscillator, gainNode] = [audioContext.createOscillator(), audioContext.createGain()];
    const startTime = audioContext.currentTime + delay;
    oscillator.frequency.value = frequency;
    gainNode.gain.setValueAtTime(volume, startTime);
    gainNode.gain.exponentialRampToValueAtTime(0.0001, startTime + duration);
    oscillator.connect(gainNode).connect(audioContext.destination);
    oscillator.start(startTime);
    oscillator.stop(startTime + duration);
  }
  document.dispatchEvent(new CustomEvent('spieltisch:sound-played', { detail: soundName }));
}

// The sound of a move: a gain, or a piece placed on the board.
export function playMoveSound({ dataset }) {
  if (dataset.animations) playSound(/,(board|player|share)-[^, ]+( |$)/.test(dataset.animations) ? 'coin' : 'place');
}

document.addEventListener('spieltisch:page-updated', () => {
  const currentSoundState = getSoundState();
  if (currentSoundState.isOver && !previousSoundState.isOver) playSound('end');
  else if (currentSoundState.isMyTurn && !previousSoundState.isMyTurn && !('hasTurnSound' in preferences)) playSound('turn'); // the bell already rings
  previousSoundState = currentSoundState;
});
