// Boards move on from one position to another, move by move: each thing travels, is said at its place and held. The rest of the page
// stays as it is.
import { soundOf } from './sounds.js';
import { showFor, refresh, isSkipping } from './playback-queue.js';
import { animateMove } from './piece-animation.js';

const LONGEST = 10000; // milliseconds for a step to come: what is shown next waits for it
const parts = ['#map .pieces', '#panel'];
const stage = document.getElementById('stage');

// The boards of a page, to be put into another.
export const boardHtml = (page = document) => parts.map((part) => page.querySelector(part)?.outerHTML);

export function replaceBoards(found, page) {
  for (const [n, part] of parts.entries()) {
    const there = page.querySelector(part);
    if (there && found[n]) there.outerHTML = found[n];
  }
}

async function put(found) {
  for (const [n, part] of parts.entries()) {
    const now = document.querySelector(part);
    if (now && found[n]) await window.htmx.swap({ sourceElement: now, target: now, text: found[n], swap: 'outerMorph' });
  }
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
  stage.classList.add('recapping');
  for (const shape of document.querySelectorAll('#map-static [data-place]')) shape.classList.remove('is-target', 'is-blocked', 'is-chosen');
  document.querySelector('#map-static .reach-icons')?.remove(); // who can come where now is not who could then
  refresh();
  try {
    await put(boardHtml(await ask(address(from))));
    for (let at = from + 1, next = ask(address(at)); at <= to && !isSkipping(); at += 1) {
      const shown = await next;
      if (at < to) next = ask(address(at + 1));
      if (isSkipping()) break;
      const moved = shown.getElementById('happened');
      const land = animateMove(moved);
      await put(boardHtml(shown));
      land();
      soundOf(moved);
      told(moved);
      await showFor(moved);
    }
  } finally {
    stage.classList.remove('recapping');
    if (document.getElementById('live').dataset.version === version) await put(now);
    document.dispatchEvent(new CustomEvent('spieltisch:map')); // what can be chosen is marked again
    refresh();
  }
}
