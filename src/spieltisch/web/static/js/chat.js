// Chat and log as one stream, in the order of time: messages stand between the entries of the log. New messages of others appear for a
// while next to the player, and count as unread until the stream is visible. A message is sent without leaving the page.
import { showBubble } from './speech-bubbles.js';

const chatSection = document.getElementById('chat');
const messageList = document.getElementById('message-list'); // as pushed, and hidden: the lines of the stream are copies
const chatNotice = document.getElementById('message-notice');
const getLivePart = () => document.getElementById('live-part');
const storageKey = `chat ${getLivePart().dataset.tableUrl}`;
const streamCopies = new Map(); // id of a message -> its line in the stream, and the HTML from which that was copied
const newestShownNumbers = {}; // room -> the number of the newest message that this page has shown
let newestSeenNumbers = {}; // room -> the number of the newest message that the player has seen

function readSeenNumbers() {
  try {
    return Object(JSON.parse(localStorage.getItem(storageKey)));
  } catch {
    return newestSeenNumbers; // storage is disabled
  }
}

const findMessages = () => [...messageList.querySelectorAll('li[data-chat-room]')];

function copyMessages() {
  const ids = new Set();
  for (const message of findMessages()) {
    const id = `chat-${message.dataset.chatRoom}-${message.dataset.messageNumber}`;
    ids.add(id);
    if (streamCopies.get(id)?.html === message.outerHTML) continue;
    const line = message.cloneNode(true);
    line.id = id;
    line.classList.add('chat-message');
    streamCopies.get(id)?.line.remove();
    streamCopies.set(id, { line, html: message.outerHTML });
  }
  for (const [id, { line }] of streamCopies) if (!ids.has(id)) { line.remove(); streamCopies.delete(id); }
}

// A push takes the messages out of the log; they are put back before the page is drawn. The newest is first in the document.
function placeMessages() {
  const log = document.querySelector('#log-panel > .log');
  if (!log) return;
  for (const [id, entry] of streamCopies) { // a push may have made an entry of the log from a message
    if (entry.line.id !== id) streamCopies.delete(id);
  }
  if (streamCopies.size < findMessages().length) copyMessages();
  const waitingLines = [...streamCopies.values()].map(({ line }) => line).reverse();
  const orderedLines = [];
  for (const line of [...log.children].filter((entry) => entry.id.startsWith('log-'))) {
    while (waitingLines.length && Number(waitingLines[0].dataset.afterLogLine) >= Number(line.id.slice('log-'.length))) orderedLines.push(waitingLines.shift());
    orderedLines.push(line);
  }
  orderedLines.push(...waitingLines);
  let nextLine = log.firstElementChild;
  for (const line of orderedLines) {
    if (line === nextLine) nextLine = nextLine.nextElementSibling;
    else log.insertBefore(line, nextLine);
  }
  countUnread();
}

function countUnread() {
  const messagesOfOthers = messageList.querySelectorAll('li:not(.is-own-message, .from-muted)[data-chat-room]');
  if (chatSection.clientHeight > 1 && document.visibilityState === 'visible') {
    newestSeenNumbers = { ...readSeenNumbers() };
    for (const { dataset: { chatRoom: room, messageNumber: number } } of messagesOfOthers) newestSeenNumbers[room] = Math.max(newestSeenNumbers[room] ?? 0, number);
    try {
      localStorage.setItem(storageKey, JSON.stringify(newestSeenNumbers));
    } catch {
      // without storage, the messages are new again at the next visit
    }
  }
  const seenNumbers = readSeenNumbers();
  const unreadCount = [...messagesOfOthers].filter(({ dataset: { chatRoom: room, messageNumber: number } }) => number > (seenNumbers[room] ?? 0)).length;
  const text = unreadCount ? String(unreadCount) : '';
  for (const badge of document.querySelectorAll('.unread-count')) if (badge.textContent !== text) badge.textContent = text;
}

const getAuthor = ({ dataset }) => document.getElementById(`seat-${dataset.seat}`)?.querySelector('.seat-name').textContent.trim();

function announceMessages(isFirstTime) {
  for (const message of findMessages()) {
    const { chatRoom: room, messageNumber: number } = message.dataset;
    const text = message.querySelector('[dir="auto"]')?.textContent; // none if it was removed, or its author is muted
    const isNew = Number(number) > (newestShownNumbers[room] ?? 0);
    if (isNew) newestShownNumbers[room] = Number(number);
    if (isNew && !isFirstTime && text && !message.matches('.is-own-message') && message.dataset.seat) showBubble(message.dataset.seat, `${getAuthor(message)}: ${text}`, message.id);
    if (!text) document.querySelector(`.chat-bubble[data-message-id="${message.id}"]`)?.remove();
  }
}

function refreshStream(isFirstTime) {
  copyMessages();
  placeMessages();
  announceMessages(isFirstTime);
  document.dispatchEvent(new CustomEvent('spieltisch:chat-updated'));
}

async function submitMessage(event) {
  if (event.target.elements.name) return; // the first message of a spectator, who becomes a person: the page is loaded again
  event.preventDefault();
  const { target: form, submitter } = event;
  try {
    const response = await fetch(submitter?.getAttribute('formaction') ?? form.action, {
      method: 'POST', body: new URLSearchParams(new FormData(form)), headers: { 'HX-Request': 'true' },
    });
    chatNotice.innerHTML = await response.text();
    if (response.ok && submitter?.id === 'greet-button') submitter.remove();
    else if (response.ok && form.elements.text) form.elements.text.value = '';
  } catch {
    document.dispatchEvent(new CustomEvent('htmx:error'));
  }
}

document.addEventListener('click', ({ target }) => {
  const chatOnlyButton = target.closest('#chat-only-button');
  if (!chatOnlyButton) return;
  const isChatOnly = document.documentElement.toggleAttribute('data-is-chat-only');
  chatOnlyButton.setAttribute('aria-pressed', String(isChatOnly));
});
document.getElementById('chat-slot')?.append(chatSection);
for (const id of ['message-form', 'message-action-form']) document.getElementById(id)?.addEventListener('submit', submitMessage);
messageList.addEventListener('spieltisch:fragment-updated', () => refreshStream(false));
document.addEventListener('visibilitychange', countUnread);
new MutationObserver(placeMessages).observe(getLivePart().parentElement, { childList: true, subtree: true });
new MutationObserver(countUnread).observe(document.documentElement, { attributes: true, attributeFilter: ['data-is-log-open'] });
refreshStream(true);
