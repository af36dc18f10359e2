// Boards move on from one position to another, move by move: each thing travels, is said at its place and held. The rest of the page
// stays as it is.
import { soundOf } from './sounds.js';
import { showFor, refresh, isSkipping, mustCatchUp } from './playback-queue.js';
import { animateMove } from './piece-animation.js';

const LONGEST = 10000; // milliseconds for a step to come: what is shown next waits for it
const parts = ['#map .pieces', '#panel'];
const stage = document.getElementById('stage');

// The boards of a page, to be put into another.
export const boardHtml = (page = document) => parts.map((part) => page.querySelector(part)?.outerHTML);

let turn = Promise.resolve();

// One change of the page after the other: a swap may take several steps.
function inTurn(change) {
  const made = turn.then(change);
  turn = made.catch(() => {});
  return made;
}

const swap = (now, text) => window.htmx.swap({ sourceElement: now, target: now, text, swap: 'outerMorph' });

export function put(found) {
  return inTurn(async () => {
    for (const [n, part] of parts.entries()) {
      const now = document.querySelector(part);
      if (now && found[n]) await swap(now, found[n]);
    }
  });
}

// Puts a new state into the page, on request without its boards: those that are there stay, until what is newer is shown on them.
export function replaceLive(html, keepBoards) {
  return inTurn(async () => {
    const kept = keepBoards ? parts.map((part) => document.querySelector(part)).filter(Boolean) : [];
    for (const board of kept) board.setAttribute('hx-morph-skip', '');
    try {
      await swap(document.getElementById('live'), html);
    } finally {
      for (const board of kept) board.removeAttribute('hx-morph-skip');
    }
  });
}

async function ask(address) {
  const answer = await fetch(address, { headers: { 'HX-Request': 'true' }, signal: AbortSignal.timeout(LONGEST) });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

// The map is there, or is not going to be in time: then what happens on it is said elsewhere.
function mapped() {
  if (!document.getElementById('live').dataset.map || document.querySelector('#map-static svg')) return null;
  return new Promise((so) => {
    document.addEventListener('spieltisch:map', so, { once: true });
    setTimeout(so, 2000);
  });
}

// Plays moves `from` to `to` on the boards; `address` says where those after a move are, `told` hears what each did. In the end `now`
// lies there, unless the page has become another.
export async function playMoves({ from, to, address, now, told = () => {} }) {
  const { version } = document.getElementById('live').dataset;
  await mapped();
  stage.classList.add('recapping', 'own'); // of a move of one's own it stays hidden
  document.dispatchEvent(new CustomEvent('spieltisch:boards')); // what can be chosen now could not be then
  refresh();
  try {
    await put(boardHtml(await ask(address(from))));
    for (let at = from + 1, next = ask(address(at)); at <= to && !isSkipping() && !mustCatchUp(); at += 1) {
      const shown = await next;
      if (at < to) next = ask(address(at + 1));
      if (isSkipping() || mustCatchUp()) break;
      const moved = shown.getElementById('happened');
      const land = animateMove(moved);
      await put(boardHtml(shown));
      land();
      soundOf(moved);
      told(moved);
      const own = 'own' in moved.dataset;
      stage.classList.toggle('own', own);
      await showFor(own ? null : moved); // null: until the last piece has landed
    }
  } finally {
    stage.classList.remove('recapping', 'own');
    if (document.getElementById('live').dataset.version === version) await put(now);
    document.dispatchEvent(new CustomEvent('spieltisch:boards'));
    refresh();
  }
}
