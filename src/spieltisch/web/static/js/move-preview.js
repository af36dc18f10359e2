// Previews a move on the boards before it is played: the server draws the imagined position after it, and whatever is new in that
// drawing is inserted here as a ghost until another move is previewed.

import { isBehind } from './playback-queue.js';

const PAUSE = 120; // milliseconds before a move under the pointer is requested
const LOOKS = ['href', 'fill', 'transform', 'd', 'width'];
let wanted = null; // the move to preview
let timer = 0;
let undo = []; // functions that restore the boards, last change first
let kept = new Map(); // the server's answers for moves in this position

const table = () => document.getElementById('live');
const parts = (node) => [...node.childNodes].filter((one) => one.nodeType === 1 || one.textContent.trim());
const matchKey = (node) => node.id || `${node.nodeName} ${node.textContent.trim()} ${LOOKS.map((name) => node.getAttribute?.(name)).join()}`;

function ghost(node) {
  const made = document.importNode(node, true);
  for (const one of [made, ...made.querySelectorAll('[id]')]) one.removeAttribute('id');
  made.classList.add('ghost');
  return made;
}

function swap(was, now) {
  const made = ghost(now);
  for (const name of ['is-target', 'is-blocked', 'is-chosen', 'is-again', 'is-pointed']) made.classList.toggle(name, was.classList.contains(name));
  was.replaceWith(made);
  undo.unshift(() => made.isConnected && made.replaceWith(was));
}

function add(parent, now, next) {
  const made = ghost(now);
  parent.insertBefore(made, next);
  undo.unshift(() => made.remove());
}

function fade(was) {
  was.classList.add('is-going');
  undo.unshift(() => was.classList.remove('is-going'));
}

// Insert into an element what the other shows differently. Cards and fields under the pointer do not move.
function compare(was, now) {
  if (was.isEqualNode(now)) return;
  const [old, young] = [parts(was), parts(now)];
  const same = old.length === young.length && old.every((one, n) => one.nodeName === young[n].nodeName && one.id === young[n].id);
  const textDiffers = same && old.some((one, n) => one.nodeType === 3 && one.textContent.trim() !== young[n].textContent.trim());
  if (textDiffers || LOOKS.some((name) => was.getAttribute(name) !== now.getAttribute(name))) swap(was, now);
  else if (same) old.forEach((one, n) => { if (one.nodeType === 1) compare(one, young[n]); });
  else if ([...old, ...young].some((one) => one.nodeType === 3)) swap(was, now);
  else {
    let at = 0;
    for (const one of young) {
      const found = old.findIndex((other, n) => n >= at && matchKey(other) === matchKey(one));
      if (found < 0) { add(was, one, old[at] ?? null); continue; }
      old.slice(at, found).forEach(fade);
      compare(old[found], one);
      at = found + 1;
    }
    old.slice(at).forEach(fade);
  }
}

function clear() {
  for (const step of undo) step();
  undo = [];
}

function applyGhosts(html) {
  const drawn = new DOMParser().parseFromString(html, 'text/html');
  for (const [where, what] of [['.map-sheet > svg', '.pieces'], ['#panel', '#panel-ahead']]) {
    const [was, now] = [document.querySelector(where), drawn.querySelector(what)];
    if (was && now) compare(was, now);
  }
}

async function previewHtml(move) {
  if (!kept.has(move)) {
    const { previewUrl, me } = table().dataset;
    const address = `${previewUrl}?${new URLSearchParams(me ? { move, me } : { move })}`;
    const answer = await fetch(address, { headers: { 'HX-Request': 'true' } }).catch(() => null); // a lost connection is reported elsewhere
    if (!answer?.ok) return '';
    kept.set(move, await answer.text());
  }
  return kept.get(move);
}

// Preview a move; with `now` immediately.
export function showPreview(move, now = false) {
  clearTimeout(timer);
  if (wanted === move || !table().dataset.previewUrl || isBehind()) return;
  wanted = move;
  const version = table().dataset.version;
  timer = setTimeout(async () => {
    const html = await previewHtml(move);
    if (wanted !== move || table().dataset.version !== version) return;
    clear();
    applyGhosts(html);
  }, now ? 0 : PAUSE);
}

// Remove the preview. A push has already removed the ghosts from what it replaced.
export function clearPreview(pushed = false) {
  clearTimeout(timer);
  wanted = null;
  if (pushed) { undo = []; kept = new Map(); } else clear();
}
