// The playback queue: positions are shown one after the other, each held at the player's pace, but never far behind the newest
// (catch-up.js). While an older position is on the board, nothing can be played: a click there, Escape or "Skip" shows the newest
// immediately. Prompt and log always show the newest.
import { caption, animationSpeed, hideCaption } from './piece-animation.js';
import { MIN_HOLD, holdTime, surplus } from './catch-up.js';

const BEAT = 1500; // milliseconds
const AGAIN = 600; // milliseconds for which a second tap on "Skip" or "Close" presses nothing that was behind it
const jobs = []; // positions still to be shown
let running = false;
let changing = false; // a position is being put on the board
let hurried = false; // skip to the newest
let paused = false;
let released = false; // the held position has been seen
let wake = () => {}; // wakes the waiting function
let gone = null; // the click after which the box disappeared

const stage = () => document.getElementById('stage');
const positions = () => jobs.filter(({ put }) => put);
export const isRunning = () => running;
export const isSkipping = () => hurried || document.hidden || !animationSpeed().hold;
export const isBehind = () => running && (changing || positions().length > 0 || stage()?.classList.contains('recapping'));

// How much of the requested time is left before the queued positions must be on the board.
export const availableTime = (wished, more) => holdTime(wished, positions().map(({ arrived }) => arrived), performance.now(), more);
export const mustCatchUp = () => availableTime(MIN_HOLD) < MIN_HOLD;

function leaveOut() {
  const all = positions();
  const many = isSkipping() ? all.length - 1 : surplus(all.map(({ arrived }) => arrived), performance.now());
  for (const job of all.slice(0, Math.max(0, many))) jobs.splice(jobs.indexOf(job), 1); // a newer position includes them
}

async function attempt(step) {
  try {
    await step?.();
  } catch (fault) {
    reportError(fault); // the next push brings the whole state
  }
}

// Add a job that runs after all earlier ones. A job with `put`, which puts a position on the board, may be skipped for a newer one.
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

// Hold a position with the caption of its move, or without a move until all pieces have arrived; `more` moves of the same position
// follow.
export async function showFor(moved, more = 0) {
  if (isSkipping()) return;
  if (moved) caption(moved);
  await hold(moved ? animationSpeed().hold : animationSpeed().travel, more);
  hideCaption();
}

export const hasBeats = () => !isSkipping() && !matchMedia('(prefers-reduced-motion: reduce)').matches;

// Shows sentences over the boards for a moment; a click or a key ends it.
export async function showBeat(sentences) {
  if (!hasBeats()) return;
  const beat = document.getElementById('beat');
  beat.replaceChildren(...sentences.map((text) => Object.assign(document.createElement('p'), { textContent: text })));
  beat.hidden = false;
  await hold(BEAT);
  beat.hidden = true;
}

async function hold(wished, more = 0) {
  let left = wished;
  released = false;
  refresh();
  while (!isSkipping() && !released && (left > 0 || paused)) {
    const [begun, stood] = [performance.now(), paused];
    if (!paused) left = availableTime(left, more);
    await new Promise((so) => { wake = so; if (!paused) setTimeout(so, left); });
    if (!stood) left -= performance.now() - begun;
  }
}

// The time of a pause does not count.
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

// The box with "Skip" is visible while the board shows an older position.
export function refresh() {
  const box = stage();
  if (!box) return; // this page has no board
  const old = isBehind() && !hurried && !box.classList.contains('own');
  const kept = box.classList.contains('kept');
  const isLeft = box.contains(document.activeElement) && !old; // its buttons disappear
  if (isLeft) document.activeElement.blur();
  box.hidden = !old && !kept;
  document.getElementById('stage-pause').hidden = document.getElementById('stage-skip').hidden = !old;
  document.getElementById('stage-close').hidden = old;
  document.getElementById('stage-pause').setAttribute('aria-pressed', String(paused));
  if (isLeft) document.dispatchEvent(new CustomEvent('spieltisch:focus-lost'));
}

function endHold() {
  released = true;
  wake();
}

function close() {
  stage()?.classList.remove('kept');
  refresh();
}

const isAgain = ({ timeStamp, clientX, clientY }) =>
  gone && timeStamp - gone.timeStamp < AGAIN && Math.hypot(clientX - gone.clientX, clientY - gone.clientY) < 30;

addEventListener('click', (event) => {
  const { target } = event;
  if (isAgain(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (target.closest('#stage-skip, #stage-close') && event.detail) gone = event;
  if (!document.getElementById('beat')?.hidden) endHold();
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
  if (!document.getElementById('beat')?.hidden) endHold();
  if (event.key !== 'Escape' || stage()?.hidden !== false) return;
  event.stopImmediatePropagation();
  if (isBehind()) skipAll();
  else close();
}, true);

document.addEventListener('visibilitychange', () => { if (document.hidden) wake(); });
