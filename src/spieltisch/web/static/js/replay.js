// Replay: steps without loading the page anew, so that pieces travel; by buttons, slider, arrow keys, or by itself.
import './handoff-guard.js';
import './map.js';
import './share-buttons.js';
import { applyChanges } from './deltas.js';
import { caption, animateMove, animationSpeed as lively, hideCaption } from './piece-animation.js';

const PACES = { slow: 2400, normal: 1400, fast: 700, still: 1400 }; // milliseconds between two moves when it plays by itself
const kept = new Map(); // fragments by address: going back costs nothing
const notice = document.getElementById('line');
let playing = 0;
let speaking = 0; // until when a caption stands at its place
let wanted = 0; // counts requests, so that a late answer does not overtake a newer one
let aim = null; // the step asked for, while another is still shown: from it the keys count
let asked = 0; // counts what was asked of the server
let base = null; // the newest fragment that has arrived: of the next, the server sends what differs from it
let cut = 0; // how much had been asked when the line was last found cut: answers to it say nothing about the line now

const live = () => document.getElementById('live');
const at = () => Number(live().dataset.at);
const ahead = () => aim ?? at();
const last = () => Number(live().dataset.last);
const first = () => Number(live().dataset.first);
const pace = () => PACES[document.documentElement.dataset.pace] ?? PACES.normal;

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
  clearTimeout(speaking);
  hideCaption();
  await window.htmx.swap({ sourceElement: live(), target: live(), text: html, swap: 'outerMorph' });
  if (mine === wanted) aim = null;
  history.replaceState(null, '', there);
  document.getElementById('scrub').value = String(ahead());
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  document.getElementById('said').textContent = live().dataset.announce;
  land();
  if (on) {
    caption(moved);
    speaking = setTimeout(hideCaption, lively().hold);
  }
  follow();
  label();
  document.dispatchEvent(new CustomEvent('spieltisch:changed'));
  if (ahead() < last()) fragment(address(ahead() + 1)).catch(() => {}); // when it is wanted, it is asked for again
}

// The list scrolls to the move that is shown, and nothing else does: on a phone the list stands far below the board.
function follow() {
  const [list, now] = [document.querySelector('.story .log'), document.querySelector('.story .now')];
  if (!now) return;
  const [frame, line] = [list.getBoundingClientRect(), now.getBoundingClientRect()];
  list.scrollTop += Math.max(line.bottom - frame.bottom, 0) + Math.min(line.top - frame.top, 0);
}

function label() {
  const button = document.getElementById('play');
  button.textContent = playing ? button.dataset.pause : button.dataset.play;
  button.setAttribute('aria-pressed', String(Boolean(playing)));
}

function pause() {
  clearInterval(playing);
  playing = 0;
  label();
}

async function play() {
  if (ahead() >= last()) {
    await go(first());
    if (ahead() >= last()) return; // the line is cut, or there is nothing to play
  }
  playing = setInterval(() => {
    if (aim !== null) return; // an answer is waited for: all steps are to be seen
    if (at() >= last()) pause();
    else go(at() + 1);
  }, pace());
  label();
}

document.addEventListener('click', (event) => {
  const step = event.target.closest('[data-step]');
  if (step && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    pause();
    go(Number(step.dataset.step));
  } else if (event.target.closest('#play')) (playing ? pause : play)();
});

document.addEventListener('input', (event) => {
  if (event.target.id !== 'scrub') return;
  pause();
  go(Number(event.target.value));
});

const KEYS = { ArrowRight: () => ahead() + 1, ArrowLeft: () => ahead() - 1, Home: first, End: last };

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea, #map-frame')) return;
  if (event.key in KEYS) { event.preventDefault(); pause(); go(KEYS[event.key]()); }
  else if (event.key === ' ' && !event.target.closest('a, button, summary')) { event.preventDefault(); (playing ? pause : play)(); }
});

follow();
if (new URL(location.href).searchParams.has('play')) play();
