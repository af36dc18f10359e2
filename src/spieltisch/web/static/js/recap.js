// Who comes back sees what happened since their last turn, on the board itself, and what it came to for everybody. The prompt stays
// as it is now: only map and boards go back, and return.
import { soundOf } from './sounds.js';
import { hold, look, perform, skipping } from './stage.js';
import { lift } from './travel.js';

const MOST = 40; // moves: whoever was away for longer sees the last of them
const LONGEST = 10000; // milliseconds for a step to come: what is pushed meanwhile waits for it
const live = () => document.getElementById('live');
const since = () => document.getElementById('since');
const stage = document.getElementById('stage');
const key = () => `shown ${live().dataset.table} ${live().dataset.me ?? ''}`;
const last = () => Number(document.querySelector('.log li[data-theirs]')?.id.slice('log-'.length) ?? 0);
const parts = ['#map .pieces', '#panel'];

// What others did until now has been seen on this device; without a place to store it, nobody is taken for coming back.
function seen() {
  try {
    const before = localStorage.getItem(key());
    if (!document.hidden) localStorage.setItem(key(), String(last()));
    return before === null ? Infinity : Number(before);
  } catch {
    return Infinity;
  }
}

async function put(source) {
  for (const part of parts) {
    const [now, then] = [document.querySelector(part), source.querySelector(part)];
    if (now && then) await window.htmx.swap({ sourceElement: now, target: now, text: then.outerHTML, swap: 'outerMorph' });
  }
}

async function step(at) {
  const there = new URL(since().dataset.replay, location.href);
  there.searchParams.set('at', at);
  const answer = await fetch(there, { headers: { 'HX-Request': 'true' }, signal: AbortSignal.timeout(LONGEST) });
  if (!answer.ok) throw new Error(`${there}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

// The map is there, or is not going to be in time: then what happens on it is said elsewhere.
function mapped() {
  if (!live().dataset.map || document.querySelector('#map-static svg')) return null;
  return new Promise((so) => {
    document.addEventListener('spieltisch:map', so, { once: true });
    setTimeout(so, 2000);
  });
}

async function play() {
  await mapped();
  const to = Number(since().dataset.to);
  const from = Math.max(Number(since().dataset.from), to - MOST);
  const version = live().dataset.version;
  const said = document.getElementById('said');
  const now = document.createElement('div');
  now.append(...parts.map((part) => document.querySelector(part)?.cloneNode(true)).filter(Boolean));
  const board = document.createElement('div');
  board.id = 'map';
  board.append(...now.querySelectorAll('.pieces'));
  now.append(board);
  stage.classList.add('recapping', 'kept');
  for (const shape of document.querySelectorAll('#map-static [data-place]')) shape.classList.remove('is-target', 'is-off', 'is-chosen');
  document.getElementById('stage-accounts').replaceChildren(...[...since().children].map((line) => line.cloneNode(true)));
  said.textContent = stage.querySelector('#stage-accounts').textContent;
  look();
  try {
    await put(await step(from));
    for (let at = from + 1, next = step(at); at <= to && !skipping(); at += 1) {
      const shown = await next;
      if (at < to) next = step(at + 1);
      if (skipping()) break;
      const moved = shown.getElementById('happened');
      const land = lift(moved);
      await put(shown);
      land();
      soundOf(moved);
      said.textContent = moved.textContent;
      await hold(moved);
    }
  } finally {
    stage.classList.remove('recapping');
    if (live().dataset.version === version) await put(now);
    document.dispatchEvent(new CustomEvent('spieltisch:map')); // what can be chosen is marked again
    look();
  }
}

// With a script, the way to what happened since leads nowhere else.
document.addEventListener('click', (event) => {
  if (!event.target.closest('#since-link') || !since() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!stage.classList.contains('recapping')) perform(play);
});

function comeBack() {
  const before = seen();
  if (since() && before < last() && !skipping()) perform(play);
}

document.addEventListener('spieltisch:changed', () => { if (!document.hidden) seen(); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) comeBack(); });
comeBack();
