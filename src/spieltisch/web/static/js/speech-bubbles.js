// Speech bubbles above the players, in line with who speaks, for new messages of the chat and for what bots say. They cover neither
// boards nor prompt, and nothing that can be pressed: where links fill the row above, as on a phone, they lie over the players.
import { enqueueJob } from './playback-queue.js';

const bubbleContainer = document.getElementById('chat-bubbles');
const MAX_BUBBLE_WIDTH = 352; // pixels
const ROOM_BELOW_PLAYERS = 6; // pixels between the players and what follows them on a phone
const BUBBLE_TIME_MS = 7000; // milliseconds for which a bubble stands next to its author
const getVersion = (line) => Number(line.parentElement.id.slice('log-'.length));
const findBotLines = () => [...document.querySelectorAll('#log-panel > .log .bot-line')].reverse();
let newestLineVersion = Math.max(0, ...findBotLines().map(getVersion)); // of the lines of bots that this page has shown

// The left edge of a bubble, near the wanted one, where it covers nothing that can be pressed; undefined if there is no room.
function findFreeLeft(wantedLeft, { width, height }, top) {
  const pressableElements = document.querySelectorAll('.site-header a, .title-bar :is(a, button, summary)');
  const boxes = [...pressableElements].map((element) => element.getBoundingClientRect()).filter((box) => box.width && box.top < top + height && box.bottom > top);
  const isFree = (left) => left >= 0 && left + width <= innerWidth && boxes.every((box) => box.left >= left + width || box.right <= left);
  const candidates = [wantedLeft, ...boxes.flatMap((box) => [box.left - width - 2, box.right + 2])].filter(isFree);
  return candidates.sort((a, b) => Math.abs(a - wantedLeft) - Math.abs(b - wantedLeft))[0];
}

// Show a text next to the player in a seat.
export function showBubble(seat, text, messageId) {
  const playerRow = document.getElementById(`seat-${seat}`);
  const playerList = document.getElementById('player-list');
  if (!playerRow || !playerList) return null;
  document.getElementById(`bubble-${seat}`)?.remove();
  const bubble = document.createElement('p');
  bubble.id = `bubble-${seat}`;
  bubble.className = 'chat-bubble';
  bubble.dataset.messageId = messageId;
  bubble.dir = 'auto';
  bubble.textContent = text;
  bubbleContainer.append(bubble);
  const [playerBox, playerListBox, headBox] = [playerRow, playerList, document.getElementById('table-head')].map((element) => element.getBoundingClientRect());
  bubble.style.setProperty('max-width', `${Math.min(MAX_BUBBLE_WIDTH, headBox.width)}px`);
  const bubbleBox = bubble.getBoundingClientRect();
  const wantedLeft = Math.max(headBox.left, Math.min(playerBox.left, headBox.right - bubbleBox.width));
  const topAbove = Math.max(2, playerListBox.top - bubbleBox.height - 4);
  const leftAbove = findFreeLeft(wantedLeft, bubbleBox, topAbove);
  bubble.style.left = `${leftAbove ?? wantedLeft}px`;
  bubble.style.top = `${leftAbove === undefined ? playerListBox.bottom - bubbleBox.height + ROOM_BELOW_PLAYERS : topAbove}px`;
  setTimeout(() => bubble.remove(), BUBBLE_TIME_MS);
  return bubble;
}

// The line of a bot follows the move on the board. The log has it for screen readers, so its bubble is hidden from them.
function showBotLine(line) {
  showBubble(line.dataset.seat, line.textContent.trim(), '')?.setAttribute('aria-hidden', 'true');
}

document.addEventListener('spieltisch:page-updated', () => {
  for (const line of findBotLines().filter((line) => getVersion(line) > newestLineVersion)) {
    newestLineVersion = getVersion(line);
    if (!('hidesBotLines' in document.documentElement.dataset)) enqueueJob(() => showBotLine(line));
  }
});
