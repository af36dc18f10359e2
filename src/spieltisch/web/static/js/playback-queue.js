// The stage: positions are shown one after the other, each held for a moment, at the pace of who looks. While an older position
// stands on the board, nothing on it can be played: a click there, Escape and "Skip" lead to the newest at once.
import { caption, animationSpeed, hideCaption } from './piece-animation.js';

const jobs = []; // what is still to be shown
let running = false;
let hurried = false; // to the end, without showing what is between
let paused = false;
let released = false; // what is being held has been seen
let wake = () => {}; // lets what holds look again

const stage = () => document.getElementById('stage');
export const queueLength = () => jobs.length;
export const isSkipping = () => hurried || document.hidden || !animationSpeed().hold;
export const isBehind = () => running && (jobs.length > 0 || stage()?.classList.contains('recapping'));

export async function enqueue(job) {
  jobs.push(job);
  if (running) { refresh(); return; }
  running = true;
  while (jobs.length) {
    const next = jobs.shift();
    refresh();
    try {
      await next();
    } catch (fault) {
      reportError(fault); // the next brings the whole state again
    }
    hideCaption();
  }
  running = hurried = paused = false;
  refresh();
}

// What a move did is said at its place, and the position is held. Of many that wait, each is held for less.
export async function showFor(moved) {
  if (isSkipping()) return;
  if (moved) caption(moved);
  const { hold, travel } = animationSpeed();
  let left = Math.max(hold / Math.max(1, jobs.length / 3), travel || hold / 2);
  released = false;
  refresh();
  while (!isSkipping() && !released && (left > 0 || paused)) {
    const [begun, stood] = [performance.now(), paused];
    await new Promise((so) => { wake = so; if (!paused) setTimeout(so, left); });
    if (!stood) left -= performance.now() - begun;
  }
  hideCaption();
}

export function skipAll() {
  hurried = running;
  paused = false;
  hideCaption();
  refresh();
  wake();
}

// The box with "Skip" stands there while something older than the newest is shown.
export function refresh() {
  const box = stage();
  if (!box) return; // this page has no board
  const old = isBehind() && !hurried;
  const kept = box.classList.contains('kept');
  if (box.contains(document.activeElement) && !old) document.activeElement.blur();
  box.hidden = !old && !kept;
  document.getElementById('stage-pause').hidden = document.getElementById('stage-skip').hidden = !old;
  document.getElementById('stage-close').hidden = old;
  document.getElementById('stage-pause').setAttribute('aria-pressed', String(paused));
}

function close() {
  stage()?.classList.remove('kept');
  refresh();
}

addEventListener('click', (event) => {
  const { target } = event;
  if (target.closest('#stage-pause')) { paused = !paused; refresh(); wake(); }
  else if (target.closest('#stage-skip')) skipAll();
  else if (target.closest('#stage-close')) close();
  else if (!target.closest('#stage')) {
    if (!isBehind()) {
      close();
      if (target.closest('#map, #panel, #strip')) { released = true; wake(); }
      return;
    }
    // Of older positions the prompt may be of another time, too; links lead away and harm nothing. In a recap it is that of now.
    const old = target.closest('#map, #panel, #strip') || (target.closest('#live button') && !stage().classList.contains('recapping'));
    skipAll();
    if (!old) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);

addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || stage()?.hidden !== false) return;
  event.stopImmediatePropagation();
  if (isBehind()) skipAll();
  else close();
}, true);

document.addEventListener('visibilitychange', () => { if (document.hidden) wake(); });
