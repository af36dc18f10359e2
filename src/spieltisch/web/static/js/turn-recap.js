// Who comes back sees what happened since their last turn, on the board itself, and what it came to for everybody. The prompt stays
// as it is now: only map and boards go back, and return.
import { enqueue, isSkipping } from './playback-queue.js';
import { boardHtml, playMoves } from './board-playback.js';

const MOST = 40; // moves: whoever was away for longer sees the last of them
const live = () => document.getElementById('live');
const since = () => document.getElementById('since');
const stage = document.getElementById('stage');
const key = () => `shown ${live().dataset.table} ${live().dataset.me ?? ''}`;
const last = () => Number(document.querySelector('.log li[data-theirs]')?.id.slice('log-'.length) ?? 0);

// What others did until now has been seen on this device; without a place to store it, nobody is taken for coming back.
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
  const from = Math.max(Number(since().dataset.from), to - MOST);
  const there = new URL(since().dataset.replay, location.href);
  const said = document.getElementById('said');
  stage.classList.add('kept');
  document.getElementById('stage-accounts').replaceChildren(...[...since().children].map((line) => line.cloneNode(true)));
  said.textContent = stage.querySelector('#stage-accounts').textContent;
  const address = (at) => {
    there.searchParams.set('at', at);
    return there.href;
  };
  await playMoves({ from, to, address, now: boardHtml(), told: (moved) => { said.textContent = moved.textContent; } });
}

// With a script, the way to what happened since leads nowhere else.
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
