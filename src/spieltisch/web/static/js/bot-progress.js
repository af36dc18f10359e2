// How far a bot is that thinks: its time is known, and as much of the line is drawn as has gone by. Who has come later, or
// wants nothing to move, sees that it thinks, and not how far.
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches || document.documentElement.dataset.pace === 'still';

let shown = null;
let since = '';

function run() {
  const line = document.getElementById('thinking');
  if (!line || (line === shown && line.dataset.since === since)) return;
  [shown, since] = [line, line.dataset.since];
  for (const animation of line.getAnimations()) animation.cancel();
  if (!still()) line.animate([{ transform: 'scaleX(0)' }, { transform: 'none' }], Number(line.dataset.seconds) * 1000);
}

document.addEventListener('spieltisch:changed', run);
run();
