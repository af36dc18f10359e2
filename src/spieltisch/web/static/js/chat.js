// Chat and log as one stream, in the order of time: messages stand between the entries of the log. New messages of others appear for a
// while next to the player, and count as unread until the stream is visible. A message is sent without leaving the page.

const talk = document.getElementById('talk');
const list = document.getElementById('words'); // as pushed, and hidden: the lines of the stream are copies
const notice = document.getElementById('say-notice');
const bubbles = document.getElementById('bubbles');
const live = () => document.getElementById('live');
const key = `words ${live().dataset.table}`;
const MAX_WIDTH = 352; // pixels
const SHOWN = 7000; // milliseconds for which a new message stands next to its author
const copies = new Map(); // id of a message -> its line in the stream, and the HTML from which that was copied
const known = {}; // room -> the number of the newest message that this page has shown
let seen = {}; // room -> the number of the newest message that the player has seen

function kept() {
  try {
    return Object(JSON.parse(localStorage.getItem(key)));
  } catch {
    return seen; // storage is disabled
  }
}

const messages = () => [...list.querySelectorAll('li[data-room]')];

function copy() {
  const ids = new Set();
  for (const message of messages()) {
    const id = `said-${message.dataset.room}-${message.dataset.number}`;
    ids.add(id);
    if (copies.get(id)?.html === message.outerHTML) continue;
    const line = message.cloneNode(true);
    line.id = id;
    line.classList.add('said');
    copies.get(id)?.line.remove();
    copies.set(id, { line, html: message.outerHTML });
  }
  for (const [id, { line }] of copies) if (!ids.has(id)) { line.remove(); copies.delete(id); }
}

// A push takes the messages out of the log; they are put back before the page is drawn. The newest is first in the document.
function place() {
  const log = document.querySelector('#story > .log');
  if (!log) return;
  for (const [id, entry] of copies) { // a push may have made an entry of the log from a message
    if (entry.line.id !== id) copies.delete(id);
  }
  if (copies.size < messages().length) copy();
  const waiting = [...copies.values()].map(({ line }) => line).reverse();
  const wanted = [];
  for (const line of [...log.children].filter((one) => one.id.startsWith('log-'))) {
    while (waiting.length && Number(waiting[0].dataset.after) >= Number(line.id.slice('log-'.length))) wanted.push(waiting.shift());
    wanted.push(line);
  }
  wanted.push(...waiting);
  let at = log.firstElementChild;
  for (const line of wanted) {
    if (line === at) at = at.nextElementSibling;
    else log.insertBefore(line, at);
  }
  countUnread();
}

function countUnread() {
  const others = list.querySelectorAll('li:not(.own, .by-muted)[data-room]');
  if (talk.clientHeight > 1 && document.visibilityState === 'visible') {
    seen = { ...kept() };
    for (const { dataset: { room, number } } of others) seen[room] = Math.max(seen[room] ?? 0, number);
    try {
      localStorage.setItem(key, JSON.stringify(seen));
    } catch {
      // without storage, the messages are new again at the next visit
    }
  }
  const read = kept();
  const unread = [...others].filter(({ dataset: { room, number } }) => number > (read[room] ?? 0)).length;
  const text = unread ? String(unread) : '';
  for (const badge of document.querySelectorAll('.unread')) if (badge.textContent !== text) badge.textContent = text;
}

// Show a message above the players, in line with its author. It covers neither boards nor prompt.
function showBubble({ dataset, id }, text) {
  const row = document.getElementById(`seat-${dataset.seat}`);
  const people = document.getElementById('people');
  if (!row || !people) return;
  document.getElementById(`bubble-${dataset.seat}`)?.remove();
  const bubble = document.createElement('p');
  bubble.id = `bubble-${dataset.seat}`;
  bubble.className = 'bubble';
  bubble.dataset.message = id;
  bubble.dir = 'auto';
  bubble.textContent = `${row.querySelector('.name').textContent.trim()}: ${text}`;
  bubbles.append(bubble);
  const [its, above, room] = [row, people, document.getElementById('head')].map((one) => one.getBoundingClientRect());
  bubble.style.setProperty('max-width', `${Math.min(MAX_WIDTH, room.width)}px`);
  const { width, height } = bubble.getBoundingClientRect();
  bubble.style.left = `${Math.max(room.left, Math.min(its.left, room.right - width))}px`;
  bubble.style.top = `${Math.max(2, above.top - height - 4)}px`;
  setTimeout(() => bubble.remove(), SHOWN);
}

function announce(isFirst) {
  for (const message of messages()) {
    const { room, number } = message.dataset;
    const text = message.querySelector('[dir="auto"]')?.textContent; // none if it was removed, or its author is muted
    const isNew = Number(number) > (known[room] ?? 0);
    if (isNew) known[room] = Number(number);
    if (isNew && !isFirst && text && !message.matches('.own') && message.dataset.seat) showBubble(message, text);
    if (!text) document.querySelector(`.bubble[data-message="${message.id}"]`)?.remove();
  }
}

function refresh(isFirst) {
  copy();
  place();
  announce(isFirst);
  document.dispatchEvent(new CustomEvent('spieltisch:said'));
}

async function send(event) {
  event.preventDefault();
  const { target: form, submitter } = event;
  try {
    const answer = await fetch(submitter?.getAttribute('formaction') ?? form.action, {
      method: 'POST', body: new URLSearchParams(new FormData(form)), headers: { 'HX-Request': 'true' },
    });
    notice.innerHTML = await answer.text();
    if (answer.ok && form.elements.text) form.elements.text.value = '';
  } catch {
    document.dispatchEvent(new CustomEvent('htmx:error'));
  }
}

document.addEventListener('click', ({ target }) => {
  const filter = target.closest('#chat-only');
  if (!filter) return;
  const isChatOnly = document.documentElement.toggleAttribute('data-chat-only');
  filter.setAttribute('aria-pressed', String(isChatOnly));
});
document.getElementById('talk-place')?.append(talk);
for (const id of ['say', 'deed']) document.getElementById(id)?.addEventListener('submit', send);
document.addEventListener('spieltisch:words', () => refresh(false));
document.addEventListener('visibilitychange', countUnread);
new MutationObserver(place).observe(live().parentElement, { childList: true, subtree: true });
new MutationObserver(countUnread).observe(document.documentElement, { attributes: true, attributeFilter: ['data-story'] });
refresh(true);
