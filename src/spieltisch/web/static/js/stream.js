// Keeps this page current: whatever the stream brings for its topic is morphed into the page by htmx. A second topic tells
// somebody with a name that their seats have been taken along to another device; a third, how far the server reaches.
import { StreamConnection } from './stream-connection.js';
import { soundOf } from './sounds.js';
import { showFor, enqueue, availableTime, isRunning, isSkipping } from './playback-queue.js';
import { boardHtml, put, replaceLive } from './board-playback.js';
import { animateMove } from './piece-animation.js';

const page = document.getElementById('live');
const notice = document.getElementById('line');
const lost = notice.textContent;
const joined = document.getElementById('joined');
const words = document.getElementById('words');
const plans = document.getElementById('plans');
let greet = () => {};
const offered = new Map(); // the version of which a turn is told -> what hears whether this tab rings for it
let offer; // a tab that has a line of its own is alone
let up = true; // what the line says of itself
let doubted = false; // what this page asked for has failed since
let again = 0;
let renewed = false; // the server is of another build than this page
let newest = 0; // the version that has arrived, while an older one may be shown
let waiting = null; // the newest state that is not in the page yet
let replacing = false;

// The title and the icon say whose turn it is, also of a tab that is hidden.
function setTitle(title) {
  if (document.title !== title) document.title = title;
  const icon = document.querySelector('link[rel=icon]');
  const wanted = title.startsWith('●') ? icon.dataset.turn : icon.dataset.plain;
  if (icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted);
}

// The moves in what has arrived that had not arrived before, the oldest first, as their lines in the log.
function newMoves(html, known) {
  const lines = html.match(/<li id="log-[^>]* data-animations[^]*?<\/li>/g); // not all of it is parsed twice
  if (!lines) return [];
  const moves = [...new DOMParser().parseFromString(`<ol>${lines.join('')}</ol>`, 'text/html').querySelectorAll('li')];
  return moves.filter((line) => Number(line.id.slice('log-'.length)) > known).reverse();
}

// The boards of a state, each move animated and that of others said there. All else has been put into the page before.
function showBoards(html, moves) {
  const theirs = moves.filter((move) => 'theirs' in move.dataset);
  enqueue(async () => {
    for (const [n, move] of theirs.entries()) await showFor(move, theirs.length - 1 - n);
  }, () => land(moves, () => put(boardHtml(new DOMParser().parseFromString(html, 'text/html')))));
}

// What moves in a change of the boards travels, and is heard.
async function land(moves, change) {
  const landings = isSkipping() ? [] : moves.map((move) => animateMove(move));
  await change();
  for (const [n, landing] of landings.entries()) {
    landing(availableTime);
    soundOf(moves[n]);
  }
}

// Title, prompt, clock and log are those of the newest state at once; the boards, too, unless others' moves are shown on them.
async function replaceState() {
  if (replacing) return;
  replacing = true;
  while (waiting) {
    const { html, moves, staged } = waiting;
    waiting = null;
    try {
      await land(staged ? [] : moves, () => replaceLive(html, staged));
    } catch (fault) {
      reportError(fault); // the next brings the whole state again
    }
    const { title, announce } = document.getElementById('live').dataset;
    setTitle(title);
    const said = document.getElementById('said');
    const words = [...moves.slice(0, -1).map((move) => move.textContent), announce ?? ''].join(' ');
    if (said && words !== said.textContent) said.textContent = words;
    document.dispatchEvent(new CustomEvent('spieltisch:changed'));
  }
  replacing = false;
}

function receive({ version, html }) {
  const live = document.getElementById('live');
  const known = Math.max(newest, Number(live?.dataset.version));
  if (!live || version <= known) return;
  newest = version;
  const moves = newMoves(html, known);
  const staged = isRunning() || (!isSkipping() && moves.some((move) => 'theirs' in move.dataset));
  waiting = { html, moves: [...waiting?.moves ?? [], ...moves], staged };
  replaceState();
  if (staged) showBoards(html, moves);
}

function showNewDevice({ version, html }) {
  if (version <= Number(joined.dataset.version)) return;
  joined.dataset.version = version;
  joined.innerHTML = html;
  const menu = document.getElementById('other-devices');
  if (menu) menu.textContent = joined.querySelector('[data-elsewhere]').dataset.elsewhere;
}

function showChat({ version, html }) {
  if (version <= Number(words.dataset.version)) return;
  words.dataset.version = version;
  words.innerHTML = html;
  document.dispatchEvent(new CustomEvent('spieltisch:words'));
}

function showPlans({ version, html }) {
  if (version <= Number(plans.dataset.version)) return;
  plans.dataset.version = version;
  plans.innerHTML = html;
}

function dispatch(message) {
  if (joined && message.topic === joined.dataset.topic) showNewDevice(message);
  else if (words && message.topic === words.dataset.topic) showChat(message);
  else if (plans && message.topic === plans.dataset.topic) showPlans(message);
  else if (message.topic) receive(message);
  else if (message.build) reloadWhenRenewed(message.build);
  else showStatus(message);
}

function showStatus(message) {
  up = message.up;
  if (!up) notice.textContent = message.why ?? lost;
  if (up && doubted) probe();
  else notice.hidden = up;
}

// A request in vain tells of a cut line sooner than a stream that may be silent between two beats. The stream is opened anew, and
// when it is up, this page tries for itself. A browser that is "offline" may still reach a server on its own machine.
function onRequestFailed() {
  doubted = true;
  notice.textContent = lost;
  notice.hidden = false;
  greet(true);
}

// A page that was left open while the server was upgraded has scripts and forms of before. It is loaded again as soon as
// nothing that was typed would be lost.
function reloadWhenRenewed(build) {
  if (renewed || build === document.documentElement.dataset.build) return;
  renewed = true;
  const reload = () => {
    if ([...document.querySelectorAll('input:not([type=hidden]), textarea, select')].some(isEdited)) return;
    document.removeEventListener('focusout', reload);
    location.reload();
  };
  document.addEventListener('focusout', reload);
  reload();
}

function isEdited(field) {
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected && option.defaultSelected);
  if (field.type === 'checkbox' || field.type === 'radio') return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

async function probe() {
  clearTimeout(again);
  try {
    await fetch('/health', { cache: 'no-store' });
    doubted = false;
    notice.hidden = up;
  } catch {
    again = setTimeout(probe, 5000);
  }
}

function subscriptions(doubted = false) {
  const topics = [document.getElementById('live'), joined, words, plans].filter((part) => part?.dataset.topic);
  return {
    topics: topics.map(({ dataset }) => [dataset.topic, doubted ? 0 : Number(dataset.version)]),
    who: document.documentElement.dataset.streamKey,
  };
}

// Whether this tab is the one to ring for a turn that has come.
export const claimBell = (topic, version, touched) => offer({ topic, version, touched });

function connectShared() {
  const worker = new SharedWorker(new URL('./stream-worker.js', import.meta.url), { type: 'module', name: 'spieltisch' });
  worker.onerror = connectAlone;
  worker.port.onmessage = ({ data }) => {
    if (!('rings' in data)) { dispatch(data); return; }
    offered.get(data.version)?.(data.rings);
    offered.delete(data.version);
  };
  offer = (bell) => new Promise((so) => {
    offered.set(bell.version, so);
    worker.port.postMessage({ bell });
  });
  greet = (doubted) => worker.port.postMessage(subscriptions(doubted));
  greet();
  // A port does not tell when its page goes; a page kept for "back" comes again.
  addEventListener('pagehide', () => worker.port.postMessage({ bye: true }));
  addEventListener('pageshow', (event) => { if (event.persisted) greet(); });
}

// Where there is no SharedWorker (Chrome on Android) each visible page has a line of its own; hidden ones let theirs go,
// so that six open connections are never used up.
function connectAlone() {
  const line = new StreamConnection(dispatch);
  offer = () => true;
  greet = (doubted) => {
    const { topics, who } = subscriptions(doubted);
    if (document.hidden) line.unwatch(topics.map(([topic]) => topic));
    else line.watch(topics, who);
    if (line.up !== null) showStatus({ up: line.up });
  };
  document.addEventListener('visibilitychange', () => greet());
  greet();
}

document.getElementById('plans-place')?.append(...(plans ? [plans] : []));
if (page?.dataset.title) setTitle(page.dataset.title);
if (page?.dataset.topic) {
  ('SharedWorker' in window ? connectShared : connectAlone)();
  document.addEventListener('htmx:error', onRequestFailed);
  addEventListener('offline', onRequestFailed);
  addEventListener('online', onRequestFailed);
}
