// Plays moves on the boards: each piece moves, a caption explains the move, and the position is held. What the players have belongs to
// the position on the boards; the rest of the page does not change.
import { playMoveSound } from './sounds.js';
import { holdMove, updatePlaybackBar, isPlaybackSkipped, mustCatchUp } from './playback-queue.js';
import { animateMove, slideCards } from './piece-animation.js';

const STEP_TIMEOUT_MS = 10000; // milliseconds; the next step waits for the answer
const BOARD_SELECTORS = ['#map .piece-layer', '#panel', '#own-summary', '#player-list'];
const playbackBar = document.getElementById('playback-bar');

// The HTML of a page's boards, for another page.
export const getBoardHtml = (page = document) => BOARD_SELECTORS.map((selector) => page.querySelector(selector)?.outerHTML);

// The boards of a step of the replay, which draws players without faces: here they keep theirs, with the points of that step. Who leads
// is not said of it.
function getStepHtml(page) {
  const players = document.getElementById('player-list')?.cloneNode(true);
  const stepPlayers = page.getElementById('player-list');
  if (!players || !stepPlayers) return getBoardHtml(page);
  for (const mark of players.querySelectorAll('.is-leading, .own-rank')) mark.remove();
  for (const points of players.querySelectorAll('.points')) {
    const stepPoints = stepPlayers.querySelector(`#${points.closest('li').id} .points`);
    if (stepPoints) points.textContent = stepPoints.textContent;
  }
  stepPlayers.replaceWith(players);
  return getBoardHtml(page);
}

let pendingChange = Promise.resolve();

// One change of the page at a time: a swap may take several steps.
function queueChange(change) {
  const changeResult = pendingChange.then(change);
  pendingChange = changeResult.catch(() => {});
  return changeResult;
}

const swapElement = (element, html) => window.htmx.swap({ sourceElement: element, target: element, text: html, swap: 'outerMorph' });

export function putBoards(boards) {
  return queueChange(async () => {
    for (const [index, selector] of BOARD_SELECTORS.entries()) {
      const element = document.querySelector(selector);
      if (element && boards[index]) await swapElement(element, boards[index]);
    }
    document.dispatchEvent(new CustomEvent('spieltisch:position-shown'));
  });
}

// Put a new state into the page, on request without its boards, which then stay until a newer position is shown on them.
export function replaceLive(html, mustKeepBoards) {
  return queueChange(async () => {
    const keptBoards = mustKeepBoards ? BOARD_SELECTORS.map((selector) => document.querySelector(selector)).filter(Boolean) : [];
    for (const board of keptBoards) board.setAttribute('hx-morph-skip', '');
    try {
      await swapElement(document.getElementById('live-part'), html);
    } finally {
      for (const board of keptBoards) board.removeAttribute('hx-morph-skip');
    }
  });
}

async function fetchPage(url) {
  const response = await fetch(url, { headers: { 'HX-Request': 'true' }, signal: AbortSignal.timeout(STEP_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

// Wait until the map is loaded, or until it is clear that it will be late: then captions are shown elsewhere.
function waitForMap() {
  if (!document.getElementById('live-part').dataset.mapUrl || document.querySelector('#map-drawing svg')) return null;
  return new Promise((resolve) => {
    document.addEventListener('spieltisch:map-loaded', resolve, { once: true });
    setTimeout(resolve, 2000);
  });
}

// Play moves `firstMove` to `lastMove` on the boards. `createStepUrl` returns the URL of the boards after a move, `onMove` is called
// after each. In the end the boards are `finalBoards`, unless the page has been replaced.
export async function playMoves({ firstMove, lastMove, createStepUrl, finalBoards, onMove = () => {} }) {
  const { version } = document.getElementById('live-part').dataset;
  await waitForMap();
  playbackBar.classList.add('is-replaying-moves', 'is-own-move'); // hidden during the player's own move
  document.dispatchEvent(new CustomEvent('spieltisch:boards-updated')); // the choices of the present position do not apply to an earlier one
  updatePlaybackBar();
  try {
    await putBoards(getStepHtml(await fetchPage(createStepUrl(firstMove))));
    for (let step = firstMove + 1, nextPagePromise = fetchPage(createStepUrl(step)); step <= lastMove && !isPlaybackSkipped() && !mustCatchUp(); step += 1) {
      const boardsPage = await nextPagePromise;
      if (step < lastMove) nextPagePromise = fetchPage(createStepUrl(step + 1));
      if (isPlaybackSkipped() || mustCatchUp()) break;
      const move = boardsPage.getElementById('last-move');
      const [startAnimation, startSlides] = [animateMove(move), slideCards()];
      await putBoards(getStepHtml(boardsPage));
      startAnimation();
      startSlides();
      playMoveSound(move);
      onMove(move);
      const isOwnMove = 'isOwnMove' in move.dataset;
      playbackBar.classList.toggle('is-own-move', isOwnMove);
      await holdMove(isOwnMove ? null : move); // null: until the last piece has landed
    }
  } finally {
    playbackBar.classList.remove('is-replaying-moves', 'is-own-move');
    if (document.getElementById('live-part').dataset.version === version) await putBoards(finalBoards);
    document.dispatchEvent(new CustomEvent('spieltisch:boards-updated'));
    updatePlaybackBar();
  }
}
