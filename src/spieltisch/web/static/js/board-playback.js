// Plays moves on the boards: each piece moves, a caption explains the move, and the position is held. The rest of the page does not
// change.
import { soundOf } from './sounds.js';
import { showFor, refresh, isSkipping, mustCatchUp } from './playback-queue.js';
import { animateMove, slideCards } from './piece-animation.js';

const STEP_TIMEOUT = 10000; // milliseconds; the next step waits for the answer
const parts = ['#map .pieces', '#panel'];
const stage = document.getElementById('stage');

// The HTML of a page's boards, for another page.
export const boardHtml = (page = document) => parts.map((part) => page.querySelector(part)?.outerHTML);

let turn = Promise.resolve();

// One change of the page at a time: a swap may take several steps.
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

// Put a new state into the page, on request without its boards, which then stay until a newer position is shown on them.
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
  const answer = await fetch(address, { headers: { 'HX-Request': 'true' }, signal: AbortSignal.timeout(STEP_TIMEOUT) });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

// Wait until the map is loaded, or until it is clear that it will be late: then captions are shown elsewhere.
function mapped() {
  if (!document.getElementById('live').dataset.map || document.querySelector('#map-static svg')) return null;
  return new Promise((so) => {
    document.addEventListener('spieltisch:map', so, { once: true });
    setTimeout(so, 2000);
  });
}

// Play moves `from` to `to` on the boards. `address` returns the URL of the boards after a move, `onMove` is called after each. In the
// end the boards are `now`, unless the page has been replaced.
export async function playMoves({ from, to, address, now, onMove = () => {} }) {
  const { version } = document.getElementById('live').dataset;
  await mapped();
  stage.classList.add('recapping', 'own'); // hidden during the player's own move
  document.dispatchEvent(new CustomEvent('spieltisch:boards')); // the choices of the present position do not apply to an earlier one
  refresh();
  try {
    await put(boardHtml(await ask(address(from))));
    for (let at = from + 1, next = ask(address(at)); at <= to && !isSkipping() && !mustCatchUp(); at += 1) {
      const shown = await next;
      if (at < to) next = ask(address(at + 1));
      if (isSkipping() || mustCatchUp()) break;
      const moved = shown.getElementById('happened');
      const [land, slide] = [animateMove(moved), slideCards()];
      await put(boardHtml(shown));
      land();
      slide();
      soundOf(moved);
      onMove(moved);
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
