// Replay: steps without reloading the page, so that pieces can move; by move or turn, by buttons, slider, keys, or automatically.
import './handoff-guard.js';
import './map.js';
import './share-buttons.js';
import { applyChanges } from './deltas.js';
import { digitOf } from './digit-key.js';
import { caption, animateMove, slideCards, animationSpeed as lively, hideCaption } from './piece-animation.js';

const PACES = { slow: 2400, normal: 1400, fast: 700, still: 1400 }; // milliseconds between two moves of automatic playback
const SPEEDS = [1, 2, 4];
const SPEED = 'replay-speed'; // the key of the speed in the browser's storage
const kept = new Map(); // fragments by URL, so that going back needs no request
const notice = document.getElementById('line');
let playing = 0;
let speed = storedSpeed();
let speaking = 0; // until when a caption is shown
let wanted = 0; // number of requests, so that a late answer does not replace a newer one
let aim = null; // the requested step while another is still shown; keys count from it
let asked = 0; // number of requests to the server
let base = null; // the newest fragment; the server sends only the differences of the next one
let cut = 0; // the value of `asked` when the connection was last found lost: answers to earlier requests prove nothing

const live = () => document.getElementById('live');
const at = () => Number(live().dataset.at);
const ahead = () => aim ?? at();
const last = () => Number(live().dataset.last);
const first = () => Number(live().dataset.first);
const pace = () => (PACES[document.documentElement.dataset.pace] ?? PACES.normal) / speed;
const turnEnds = () => document.getElementById('story').dataset.turnEnds.split(' ').map(Number);

function storedSpeed() {
  try {
    const found = Number(localStorage.getItem(SPEED));
    return SPEEDS.includes(found) ? found : 1;
  } catch {
    return 1; // the browser keeps nothing
  }
}

function setSpeed(chosen) {
  speed = chosen;
  try {
    localStorage.setItem(SPEED, speed);
  } catch { /* it holds for this page */ }
  if (playing) run();
  label();
}

function address(step) {
  const there = new URL(location.href);
  there.searchParams.set('at', step);
  there.searchParams.delete('play');
  return there;
}

async function fragment(there) {
  const key = there.pathname + there.search;
  if (!kept.has(key)) {
    const [mine, had] = [++asked, base];
    const answer = await fetch(there, { headers: { 'HX-Request': 'true', ...(had && { 'Delta-Base': had.tag }) } });
    if (!answer.ok) throw new Error(`${key}: ${answer.status}`);
    const arrived = (await answer.text()).split('\n');
    const lines = answer.headers.has('Delta-Base') ? applyChanges(had.lines, arrived) : arrived;
    base = { tag: answer.headers.get('Delta-Tag'), lines };
    kept.set(key, lines.join('\n'));
    if (mine > cut) notice.hidden = true;
  }
  return kept.get(key);
}

async function go(step) {
  aim = Math.min(Math.max(step, first()), last());
  const there = address(aim);
  const mine = ++wanted;
  let html;
  try {
    html = await fragment(there);
  } catch {
    cut = asked;
    if (mine !== wanted) return;
    aim = null;
    pause();
    document.getElementById('scrub').value = String(at());
    notice.hidden = false;
    return;
  }
  if (mine !== wanted) return;
  const focused = document.activeElement?.id;
  const [was, moved] = [at(), new DOMParser().parseFromString(html, 'text/html').getElementById('happened')];
  const back = Number(there.searchParams.get('at')) === was - 1;
  const on = Number(there.searchParams.get('at')) === was + 1;
  const land = on ? animateMove(moved) : back ? animateMove(document.getElementById('happened'), true) : () => {};
  const slide = on || back ? slideCards() : () => {};
  clearTimeout(speaking);
  hideCaption();
  await window.htmx.swap({ sourceElement: live(), target: live(), text: html, swap: 'outerMorph' });
  if (mine === wanted) aim = null;
  history.replaceState(null, '', there);
  document.getElementById('scrub').value = String(ahead());
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  document.getElementById('said').textContent = live().dataset.announce;
  land((wished) => wished / speed);
  slide((wished) => wished / speed);
  if (on) {
    caption(moved);
    speaking = setTimeout(hideCaption, lively().hold);
  }
  follow();
  label();
  document.dispatchEvent(new CustomEvent('spieltisch:changed'));
  if (ahead() < last()) fragment(address(ahead() + 1)).catch(() => {}); // it is requested again when it is needed
}

// Scroll only the list to the current move: on a phone the list is far below the board.
function follow() {
  const [list, now] = [document.querySelector('.story .log'), document.querySelector('.story .now')];
  if (!now) return;
  const [frame, line] = [list.getBoundingClientRect(), now.getBoundingClientRect()];
  list.scrollTop += Math.min(Math.max(line.bottom - frame.bottom, 0), line.top - frame.top); // if it is too long, it begins in sight
}

function label() {
  const button = document.getElementById('play');
  button.textContent = playing ? button.dataset.pause : button.dataset.play;
  button.setAttribute('aria-pressed', String(Boolean(playing)));
  for (const choice of document.querySelectorAll('[data-speed]')) choice.setAttribute('aria-pressed', String(Number(choice.dataset.speed) === speed));
}

function pause() {
  clearInterval(playing);
  playing = 0;
  label();
}

async function play() {
  if (ahead() >= last()) {
    await go(first());
    if (ahead() >= last()) return; // the connection is lost, or the game has no more moves
  }
  run();
  label();
}

function run() {
  clearInterval(playing);
  playing = setInterval(() => {
    if (aim !== null) return; // an answer is pending; every step must be seen
    if (at() >= last()) pause();
    else go(at() + 1);
  }, pace());
}

document.addEventListener('click', (event) => {
  const step = event.target.closest('[data-step]');
  if (step && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    pause();
    go(Number(step.dataset.step));
  } else if (event.target.closest('#play')) (playing ? pause : play)();
  else if (event.target.closest('[data-speed]')) setSpeed(Number(event.target.closest('[data-speed]').dataset.speed));
});

document.addEventListener('input', (event) => {
  if (event.target.id !== 'scrub') return;
  pause();
  go(Number(event.target.value));
});

const KEYS = { ArrowRight: () => ahead() + 1, ArrowLeft: () => ahead() - 1, Home: first, End: last };
const TURN_KEYS = {
  ...KEYS,
  ArrowRight: () => Math.min(...turnEnds().filter((end) => end > ahead()), last()),
  ArrowLeft: () => Math.max(...turnEnds().filter((end) => end < ahead()), first()),
};

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea, #map-frame')) return;
  const steps = event.shiftKey ? TURN_KEYS : KEYS;
  if (event.key in steps) { event.preventDefault(); pause(); go(steps[event.key]()); }
  else if (SPEEDS.includes(digitOf(event))) setSpeed(digitOf(event));
  else if (event.key === ' ' && !event.target.closest('a, button, summary')) { event.preventDefault(); (playing ? pause : play)(); }
});

follow();
label();
if (new URL(location.href).searchParams.has('play')) play();
