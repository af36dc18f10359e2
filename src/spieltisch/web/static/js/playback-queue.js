// The stage: positions are shown one after the other, each held for a moment, at the pace of who looks, and never far behind the newest
// (catch-up.js). While an older position stands on the board, nothing on it can be played: a click there, Escape and "Skip" lead to
// the newest at once. The prompt and all that stands around the board are those of the newest.
import { caption, animationSpeed, hideCaption } from './piece-animation.js';
import { SHORTEST, holdTime, surplus } from './catch-up.js';

const jobs = []; // what is still to be shown
let running = false;
let changing = false; // a position is being laid on the board
let hurried = false; // to the end, without showing what is between
let paused = false;
let released = false; // what is being held has been seen
let wake = () => {}; // lets what holds look again

const stage = () => document.getElementById('stage');
const positions = () => jobs.filter(({ put }) => put);
export const isRunning = () => running;
export const isSkipping = () => hurried || document.hidden || !animationSpeed().hold;
export const isBehind = () => running && (changing || jobs.length > 0 || stage()?.classList.contains('recapping'));

// How much of the time that is wished there is before the positions that wait have to be on the board.
export const availableTime = (wished, more) => holdTime(wished, positions().map(({ arrived }) => arrived), performance.now(), more);
export const mustCatchUp = () => availableTime(SHORTEST) < SHORTEST;

function leaveOut() {
  const all = positions();
  const many = isSkipping() ? all.length - 1 : surplus(all.map(({ arrived }) => arrived), performance.now());
  for (const job of all.slice(0, Math.max(0, many))) jobs.splice(jobs.indexOf(job), 1); // a newer one has all of it
}

async function attempt(step) {
  try {
    await step?.();
  } catch (fault) {
    reportError(fault); // the next brings the whole state again
  }
}

// Shows something when all before it has been shown. With `put`, which lays a position on the board, it may be left out for a newer one.
export async function enqueue(hold, put) {
  jobs.push({ hold, put, arrived: performance.now() });
  if (running) { refresh(); wake(); return; }
  running = true;
  while (jobs.length) {
    leaveOut();
    const next = jobs.shift();
    changing = Boolean(next.put);
    await attempt(next.put);
    changing = false;
    refresh();
    if (next.put && !isBehind()) document.dispatchEvent(new CustomEvent('spieltisch:boards'));
    await attempt(next.hold);
    hideCaption();
  }
  running = hurried = paused = false;
  refresh();
}

// What a move did is said at its place, and the position is held; without a move only until all has landed; `more` moves of the same position follow.
export async function showFor(moved, more = 0) {
  if (isSkipping()) return;
  if (moved) caption(moved);
  let left = moved ? animationSpeed().hold : animationSpeed().travel;
  released = false;
  refresh();
  while (!isSkipping() && !released && (left > 0 || paused)) {
    const [begun, stood] = [performance.now(), paused];
    if (!paused) left = availableTime(left, more);
    await new Promise((so) => { wake = so; if (!paused) setTimeout(so, left); });
    if (!stood) left -= performance.now() - begun;
  }
  hideCaption();
}

// The time of a pause is not counted.
function togglePause() {
  paused = !paused;
  if (!paused) for (const job of jobs) job.arrived = performance.now();
  refresh();
  wake();
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
  const old = isBehind() && !hurried && !box.classList.contains('own');
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
  if (target.closest('#stage-pause')) togglePause();
  else if (target.closest('#stage-skip')) skipAll();
  else if (target.closest('#stage-close')) close();
  else if (!target.closest('#stage')) {
    if (!isBehind()) {
      close();
      if (target.closest('#map, #panel, #strip')) { released = true; wake(); }
      return;
    }
    const old = target.closest('#map, #panel');
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
