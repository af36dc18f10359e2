// What a move would make of the boards, before it is played: the server draws the imagined position after it, as it draws any, and
// what is new in that drawing is laid into this one as ghosts, until another move is looked at.

import { isBehind } from './playback-queue.js';

const PAUSE = 120; // before a move that is only pointed at is asked for, in milliseconds
const LOOKS = ['href', 'fill', 'transform', 'd', 'width'];
let wanted = null; // the move that is looked at
let timer = 0;
let undo = []; // how to put everything back, the last change first
let kept = new Map(); // what the server said of moves in this position

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
  for (const name of ['is-target', 'is-blocked', 'is-chosen', 'is-pointed']) made.classList.toggle(name, was.classList.contains(name));
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

// Lay into one element what the other shows otherwise. What is in the way of the pointer, cards and fields, stays in place.
function compare(was, now) {
  if (was.isEqualNode(now)) return;
  const [old, young] = [parts(was), parts(now)];
  const same = old.length === young.length && old.every((one, n) => one.nodeName === young[n].nodeName && one.id === young[n].id);
  const told = same && old.some((one, n) => one.nodeType === 3 && one.textContent.trim() !== young[n].textContent.trim());
  if (told || LOOKS.some((name) => was.getAttribute(name) !== now.getAttribute(name))) swap(was, now);
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
    const answer = await fetch(address, { headers: { 'HX-Request': 'true' } }).catch(() => null); // a cut line is told of elsewhere
    if (!answer?.ok) return '';
    kept.set(move, await answer.text());
  }
  return kept.get(move);
}

// Look at what a move would do; with `now` at once.
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

// Look away. What a push has brought stays; it has taken the ghosts away.
export function clearPreview(pushed = false) {
  clearTimeout(timer);
  wanted = null;
  if (pushed) { undo = []; kept = new Map(); } else clear();
}
