// Shows a returning player on the board what has happened since their last turn, and the net changes. The prompt stays as it is; only
// map and boards go back and return.
import { enqueueJob, isPlaybackSkipped } from './playback-queue.js';
import { getBoardHtml, playMoves } from './board-playback.js';

const MAX_RECAP_MOVES = 40; // after a longer absence, only the last moves are shown
const getLivePart = () => document.getElementById('live-part');
const getRecapData = () => document.getElementById('recap-data');
const playbackBar = document.getElementById('playback-bar');
const getStorageKey = () => `shown ${getLivePart().dataset.tableUrl} ${getLivePart().dataset.hotSeatPlayer ?? ''}`;
const getLastOthersMove = () => Number(document.querySelector('.log li[data-is-by-opponent]')?.id.slice('log-'.length) ?? 0);

// Store how far this device has shown the moves of others, and return the value before; without storage, no recap is shown.
function storeSeenMove() {
  try {
    const previouslySeenMove = localStorage.getItem(getStorageKey());
    if (!document.hidden) localStorage.setItem(getStorageKey(), String(getLastOthersMove()));
    return previouslySeenMove === null ? Infinity : Number(previouslySeenMove);
  } catch {
    return Infinity;
  }
}

async function playRecap() {
  const lastMove = Number(getRecapData().dataset.lastMove);
  const firstMove = Math.max(Number(getRecapData().dataset.firstMove), lastMove - MAX_RECAP_MOVES);
  const url = new URL(getRecapData().dataset.replayUrl, location.href);
  const announcer = document.getElementById('live-region');
  playbackBar.classList.add('is-recap');
  document.getElementById('playback-changes').replaceChildren(...[...getRecapData().children].map((item) => item.cloneNode(true)));
  announcer.textContent = playbackBar.querySelector('#playback-changes').textContent;
  const createStepUrl = (step) => {
    url.searchParams.set('at', step);
    return url.href;
  };
  await playMoves({ firstMove, lastMove, createStepUrl, finalBoards: getBoardHtml(), onMove: (move) => { announcer.textContent = move.textContent; } });
}

// The link plays the moves here instead of opening the replay.
document.addEventListener('click', (event) => {
  if (!event.target.closest('#recap-link') || !getRecapData() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!playbackBar.classList.contains('is-replaying-moves')) enqueueJob(playRecap);
});

function playRecapIfMissed() {
  const previouslySeenMove = storeSeenMove();
  if (getRecapData() && previouslySeenMove < getLastOthersMove() && !isPlaybackSkipped()) enqueueJob(playRecap);
}

document.addEventListener('spieltisch:page-updated', () => { if (!document.hidden) storeSeenMove(); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) playRecapIfMissed(); });
playRecapIfMissed();
