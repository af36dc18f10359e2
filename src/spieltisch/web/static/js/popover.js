// What is asked about a place stands beside it: a box of the prompt, laid over the board below or above the place, so that it never
// lies under the pointer that chose the place. Where the board is small nothing lies over it: there all is asked in the dock.

import { isShown } from './board-keys.js';

export const docked = matchMedia('(max-width: 51.99rem), (max-height: 34.99rem)');
const GAP = 8;
const laid = new Map(); // box -> the place beside which it stands

const shape = (where) => [...document.querySelectorAll(`#map-static [data-place="${CSS.escape(where)}"], :is(#panel, #strip) [data-place="${CSS.escape(where)}"]`)].find(isShown);

function position(box, where) {
  const there = !docked.matches && shape(where)?.getBoundingClientRect();
  const shown = there && there.bottom > 0 && there.top < innerHeight;
  box.classList.toggle('at-place', Boolean(shown));
  box.style.left = box.style.top = '';
  if (!shown) return;
  const own = box.getBoundingClientRect();
  const under = there.bottom + GAP + own.height <= innerHeight || there.top < innerHeight - there.bottom;
  const left = there.left + there.width / 2 - own.width / 2;
  const top = under ? Math.min(there.bottom + GAP, innerHeight - own.height - GAP) : Math.max(there.top - GAP - own.height, GAP);
  box.style.left = `${Math.max(GAP, Math.min(left, document.documentElement.clientWidth - own.width - GAP))}px`;
  box.style.top = `${Math.max(GAP, top)}px`;
}

// Lay a box beside a place, or with no place back where it belongs.
export function attach(box, where) {
  if (where) laid.set(box, where);
  else laid.delete(box);
  if (where) grows.observe(box);
  else grows.unobserve(box);
  position(box, where ?? '');
}

function repositionAll() {
  for (const [box, where] of laid) box.isConnected ? position(box, where) : laid.delete(box);
}
const grows = new ResizeObserver(() => requestAnimationFrame(repositionAll)); // what is unfolded in it must not push its buttons out of the window
addEventListener('scroll', repositionAll, { capture: true, passive: true });
addEventListener('resize', repositionAll);
