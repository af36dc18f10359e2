// The progress of a bot: its thinking time is known, so the line grows with the time that has passed. Reduced motion, or a player who
// joined later, gets the line without progress.
const isAnimationOff = () => matchMedia('(prefers-reduced-motion: reduce)').matches || document.documentElement.dataset.pace === 'still';

let shownBar = null;
let shownVersion = '';

function animateProgress() {
  const bar = document.getElementById('bot-progress');
  if (!bar || (bar === shownBar && bar.dataset.versionAtStart === shownVersion)) return;
  [shownBar, shownVersion] = [bar, bar.dataset.versionAtStart];
  for (const animation of bar.getAnimations()) animation.cancel();
  if (!isAnimationOff()) bar.animate([{ transform: 'scaleX(0)' }, { transform: 'none' }], Number(bar.dataset.thinkingSeconds) * 1000);
}

document.addEventListener('spieltisch:page-updated', animateProgress);
animateProgress();
