// Previews a move on the boards before it is played: the server draws the imagined position after it, and whatever is new in that
// drawing is inserted here as a ghost until another move is previewed.

import { isBoardBehind } from './playback-queue.js';

const REQUEST_DELAY = 120; // milliseconds before a move under the pointer is requested
const COMPARED_ATTRIBUTES = ['href', 'fill', 'transform', 'd', 'width'];
let wantedMove = null; // the move to preview
let requestTimer = 0;
let restoreFunctions = []; // functions that restore the boards, last change first
let previewCache = new Map(); // the server's answers for moves in this position

const getLivePart = () => document.getElementById('live-part');
const getChildParts = (node) => [...node.childNodes].filter((node) => node.nodeType === 1 || node.textContent.trim());
const getMatchKey = (node) => node.id || node.dataset?.part || `${node.nodeName} ${node.textContent.trim()} ${COMPARED_ATTRIBUTES.map((name) => node.getAttribute?.(name)).join()}`;

function createGhost(node) {
  const ghostNode = document.importNode(node, true);
  for (const node of [ghostNode, ...ghostNode.querySelectorAll('[id]')]) node.removeAttribute('id');
  ghostNode.classList.add('ghost');
  return ghostNode;
}

function swapInGhost(currentNode, previewNode) {
  const ghostNode = createGhost(previewNode);
  for (const name of ['is-target', 'is-blocked', 'is-chosen', 'is-repeatable', 'is-pointed']) ghostNode.classList.toggle(name, currentNode.classList.contains(name));
  currentNode.replaceWith(ghostNode);
  restoreFunctions.unshift(() => ghostNode.isConnected && ghostNode.replaceWith(currentNode));
}

function addGhost(parent, previewNode, nextSibling) {
  const ghostNode = createGhost(previewNode);
  parent.insertBefore(ghostNode, nextSibling);
  restoreFunctions.unshift(() => ghostNode.remove());
}

function fadeOut(currentNode) {
  currentNode.classList.add('is-disappearing');
  restoreFunctions.unshift(() => currentNode.classList.remove('is-disappearing'));
}

// Insert into an element what the other shows differently. Cards and fields under the pointer do not move.
function insertDifferences(currentNode, previewNode) {
  if (currentNode.isEqualNode(previewNode)) return;
  const [currentParts, previewParts] = [getChildParts(currentNode), getChildParts(previewNode)];
  const haveSameShape = currentParts.length === previewParts.length && currentParts.every((node, index) => node.nodeName === previewParts[index].nodeName && node.id === previewParts[index].id);
  const doTextsDiffer = haveSameShape && currentParts.some((node, index) => node.nodeType === 3 && node.textContent.trim() !== previewParts[index].textContent.trim());
  if (doTextsDiffer || COMPARED_ATTRIBUTES.some((name) => currentNode.getAttribute(name) !== previewNode.getAttribute(name))) swapInGhost(currentNode, previewNode);
  else if (haveSameShape) currentParts.forEach((node, index) => { if (node.nodeType === 1) insertDifferences(node, previewParts[index]); });
  else if ([...currentParts, ...previewParts].some((node) => node.nodeType === 3)) swapInGhost(currentNode, previewNode);
  else {
    let nextIndex = 0;
    for (const node of previewParts) {
      const matchIndex = currentParts.findIndex((part, index) => index >= nextIndex && getMatchKey(part) === getMatchKey(node));
      if (matchIndex < 0) { addGhost(currentNode, node, currentParts[nextIndex] ?? null); continue; }
      currentParts.slice(nextIndex, matchIndex).forEach(fadeOut);
      insertDifferences(currentParts[matchIndex], node);
      nextIndex = matchIndex + 1;
    }
    currentParts.slice(nextIndex).forEach(fadeOut);
  }
}

function restoreBoards() {
  for (const restore of restoreFunctions) restore();
  restoreFunctions = [];
}

function applyGhosts(html) {
  const previewPage = new DOMParser().parseFromString(html, 'text/html');
  for (const [currentSelector, previewSelector] of [['.map-sheet > svg', '.piece-layer'], ['#panel', '#panel-preview']]) {
    const [currentNode, previewNode] = [document.querySelector(currentSelector), previewPage.querySelector(previewSelector)];
    if (currentNode && previewNode) insertDifferences(currentNode, previewNode);
  }
}

async function fetchPreviewHtml(move) {
  if (!previewCache.has(move)) {
    const { previewUrl, hotSeatPlayer: me } = getLivePart().dataset;
    const url = `${previewUrl}?${new URLSearchParams(me ? { move, me } : { move })}`;
    const response = await fetch(url, { headers: { 'HX-Request': 'true' } }).catch(() => null); // a lost connection is reported elsewhere
    if (!response?.ok) return '';
    previewCache.set(move, await response.text());
  }
  return previewCache.get(move);
}

// Preview a move; with `isImmediate` without delay.
export function showPreview(move, isImmediate = false) {
  clearTimeout(requestTimer);
  if (wantedMove === move || !getLivePart().dataset.previewUrl || isBoardBehind()) return;
  wantedMove = move;
  const version = getLivePart().dataset.version;
  requestTimer = setTimeout(async () => {
    const html = await fetchPreviewHtml(move);
    if (wantedMove !== move || getLivePart().dataset.version !== version) return;
    restoreBoards();
    applyGhosts(html);
  }, isImmediate ? 0 : REQUEST_DELAY);
}

// Remove the preview. A push has already removed the ghosts from what it replaced.
export function clearPreview(isReplaced = false) {
  clearTimeout(requestTimer);
  wantedMove = null;
  if (isReplaced) { restoreFunctions = []; previewCache = new Map(); } else restoreBoards();
}
