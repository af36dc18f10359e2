// The progress of a bot: its thinking time is known, so the line grows with the time that has passed. Reduced motion, or a player who
// joined later, gets the line without progress.
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
