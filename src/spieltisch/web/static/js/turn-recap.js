// Shows a returning player on the board what has happened since their last turn, and the net changes. The prompt stays as it is; only
// map and boards go back and return.
import { enqueue, isSkipping } from './playback-queue.js';
import { boardHtml, playMoves } from './board-playback.js';

const MAX_MOVES = 40; // after a longer absence, only the last moves are shown
const live = () => document.getElementById('live');
const since = () => document.getElementById('since');
const stage = document.getElementById('stage');
const key = () => `shown ${live().dataset.table} ${live().dataset.me ?? ''}`;
const last = () => Number(document.querySelector('.log li[data-theirs]')?.id.slice('log-'.length) ?? 0);

// Store how far this device has shown the moves of others, and return the value before; without storage, no recap is shown.
function markSeen() {
  try {
    const before = localStorage.getItem(key());
    if (!document.hidden) localStorage.setItem(key(), String(last()));
    return before === null ? Infinity : Number(before);
  } catch {
    return Infinity;
  }
}

async function play() {
  const to = Number(since().dataset.to);
  const from = Math.max(Number(since().dataset.from), to - MAX_MOVES);
  const there = new URL(since().dataset.replay, location.href);
  const said = document.getElementById('said');
  stage.classList.add('kept');
  document.getElementById('stage-accounts').replaceChildren(...[...since().children].map((line) => line.cloneNode(true)));
  said.textContent = stage.querySelector('#stage-accounts').textContent;
  const address = (at) => {
    there.searchParams.set('at', at);
    return there.href;
  };
  await playMoves({ from, to, address, now: boardHtml(), onMove: (moved) => { said.textContent = moved.textContent; } });
}

// The link plays the moves here instead of opening the replay.
document.addEventListener('click', (event) => {
  if (!event.target.closest('#since-link') || !since() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!stage.classList.contains('recapping')) enqueue(play);
});

function playIfMissed() {
  const before = markSeen();
  if (since() && before < last() && !isSkipping()) enqueue(play);
}

document.addEventListener('spieltisch:changed', () => { if (!document.hidden) markSeen(); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) playIfMissed(); });
playIfMissed();
