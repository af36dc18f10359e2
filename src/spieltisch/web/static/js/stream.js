// Keeps this page up to date: htmx morphs every pushed fragment of its topic into the page. A second topic tells people with a name
// that their seats have been moved to another device; a third, at which addresses the server can be reached.
import { applyChanges } from './deltas.js';
import { StreamConnection } from './stream-connection.js';
import { soundOf } from './sounds.js';
import { showBeat, showFor, enqueue, availableTime, isRunning, isSkipping } from './playback-queue.js';
import { boardHtml, put, replaceLive } from './board-playback.js';
import { animateMove, slideCards } from './piece-animation.js';

const page = document.getElementById('live');
const notice = document.getElementById('line');
const lost = notice.textContent;
const slow = document.getElementById('slow');
const unsaved = document.getElementById('unsaved');
const CHECK = 5000; // milliseconds between two looks at the shared connection
const joined = document.getElementById('joined');
const words = document.getElementById('words');
const plans = document.getElementById('plans');
let greet = () => {};
let requestChanges = () => {};
let announced = newestLine(); // the version of the newest entry of the log that has been read aloud
let announcedStatus = page?.dataset.announce ?? '';
const offered = new Map(); // version of an announced turn -> function that learns whether this tab rings for it
let offer; // a tab with its own connection does not ask others
let status = 'up'; // of the connection: "up", "slow" or "lost"
let refused = false; // whether the server refuses the stream
let answered = null; // the last state that was the answer to a change made here: its tag and its lines
let doubted = false; // whether a request of this page has failed since
let again = 0;
let renewed = false; // the server has another build than this page
let newest = 0; // the newest version that has arrived; an older one may be shown
let waiting = null; // the newest state that is not in the page yet
let replacing = false;

function newestLine() {
  return Number(document.querySelector('#story > .log > [id^="log-"]')?.id.slice('log-'.length) ?? 0);
}

// Read aloud what is new in the log, each entry once, and what the table waits for.
function announce() {
  const said = document.getElementById('said');
  const status = document.getElementById('live').dataset.announce ?? '';
  const lines = [...document.querySelectorAll('#story > .log > [id^="log-"]')].filter((line) => Number(line.id.slice('log-'.length)) > announced).reverse();
  const isNew = lines.length > 0 || status !== announcedStatus;
  const text = isNew ? [...lines.map((line) => line.textContent.trim()), status].join(' ').replace(/\s+/g, ' ') : '';
  announced = Math.max(announced, newestLine());
  announcedStatus = status;
  if (said && text) said.textContent = text === said.textContent ? `${text}\u00a0` : text; // the same text again is a change, too
}

// Title and icon show whose turn it is, also while the tab is hidden.
function setTitle(title) {
  if (document.title !== title) document.title = title;
  const icon = document.querySelector('link[rel=icon]');
  const wanted = title.startsWith('●') ? icon.dataset.turn : icon.dataset.plain;
  if (icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted);
}

// The log entries of the moves that are new in this fragment, oldest first.
function newMoves(html, known) {
  const lines = html.match(/<li id="log-[^>]* data-animations[^]*?<\/li>/g); // by text, so that the fragment is not parsed twice
  if (!lines) return [];
  const moves = [...new DOMParser().parseFromString(`<ol>${lines.join('')}</ol>`, 'text/html').querySelectorAll('li')];
  return moves.filter((line) => Number(line.id.slice('log-'.length)) > known).reverse();
}

// Put the boards of a state into the page, with animation and, for moves of others, a caption. The rest is already there.
function showBoards(html, moves) {
  const theirs = moves.filter((move) => 'theirs' in move.dataset);
  enqueue(async () => {
    for (const [n, move] of theirs.entries()) await showFor(move, theirs.length - 1 - n);
  }, () => land(moves, () => put(boardHtml(new DOMParser().parseFromString(html, 'text/html')))));
}

// Animate a change of the boards, with sound.
async function land(moves, change) {
  const landings = isSkipping() ? [] : moves.map((move) => animateMove(move));
  const slide = moves.length && !isSkipping() ? slideCards() : () => {};
  await change();
  slide(availableTime);
  for (const [n, landing] of landings.entries()) {
    landing(availableTime);
    soundOf(moves[n]);
  }
}

// Title, prompt, clock and log show the newest state immediately; the boards too, unless moves of others are being shown.
async function replaceState() {
  if (replacing) return;
  replacing = true;
  while (waiting) {
    const { html, moves, staged } = waiting;
    waiting = null;
    try {
      await land(staged ? [] : moves, () => replaceLive(html, staged));
    } catch (fault) {
      reportError(fault); // the next push brings the whole state
    }
    setTitle(document.getElementById('live').dataset.title);
    announce();
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
  const beats = moves.flatMap((move) => move.dataset.beat?.split('\n') ?? []);
  if (beats.length) enqueue(() => showBeat(beats));
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

function showSpectators({ version, html }) {
  const count = document.getElementById('spectators');
  if (!count || version <= Number(count.dataset.version)) return;
  count.dataset.version = version;
  count.innerHTML = html;
}

function dispatch(message) {
  if (joined && message.topic === joined.dataset.topic) showNewDevice(message);
  else if (words && message.topic === words.dataset.topic) showChat(message);
  else if (plans && message.topic === plans.dataset.topic) showPlans(message);
  else if (message.topic?.startsWith('spectators:')) showSpectators(message);
  else if (message.topic) receive(message);
  else if (message.build) reloadWhenRenewed(message.build);
  else if ('unsaved' in message) unsaved.hidden = !message.unsaved;
  else if (message.status) showStatus(message);
}

function showStatus(message) {
  ({ status } = message);
  refused = 'why' in message;
  slow.hidden = status !== 'slow';
  if (status === 'lost') notice.textContent = message.why ?? lost;
  if (status !== 'lost' && doubted) probe();
  else notice.hidden = status !== 'lost';
}

// The answer to a change made on this page brings the new state, because the stream may be late. The later of the two is ignored.
function onRequest({ detail: { ctx } }) {
  ctx.base = answered;
  if (answered) ctx.request.headers['Delta-Base'] = answered.tag;
}

function onAnswered({ detail: { ctx } }) {
  const { headers, status: code } = ctx.response;
  if (code === 409) requestChanges(); // the page may be out of date
  if (!headers.has('State-Id')) return;
  const arrived = ctx.text.split('\n');
  const lines = headers.has('Delta-Base') ? applyChanges(ctx.base.lines, arrived) : arrived;
  answered = { tag: headers.get('Delta-Tag'), lines };
  const id = headers.get('State-Id');
  const at = id.lastIndexOf('@');
  ctx.brought = { topic: id.slice(0, at), version: Number(id.slice(at + 1)), html: lines.join('\n') };
  ctx.text = ''; // what is put into the notice
}

function onNoticed({ detail: { ctx } }) {
  if (ctx.brought && ctx.brought.topic === document.getElementById('live').dataset.topic) receive(ctx.brought);
}

// A failed request reveals a lost connection sooner than the stream, which may be silent between two heartbeats. The stream is opened
// again; when it is up, this page tries the server itself. An "offline" browser may still reach a server on its own machine.
function onRequestFailed() {
  doubted = true;
  notice.textContent = lost;
  notice.hidden = false;
  greet(true);
}

// A page that was open during an upgrade has old scripts and forms; one that was open while an older backup was restored may show moves
// that no longer exist. It reloads as soon as no typed text would be lost.
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

const reachesServer = () => fetch('/health', { cache: 'no-store' }).then(() => true, () => false);

async function probe() {
  clearTimeout(again);
  if (await reachesServer()) {
    doubted = false;
    notice.hidden = status !== 'lost';
  } else again = setTimeout(probe, CHECK);
}

function subscriptions(doubted = false) {
  const topics = [document.getElementById('live'), joined, words, plans, document.getElementById('spectators')].filter((part) => part?.dataset.topic);
  return {
    topics: topics.map(({ dataset }) => [dataset.topic, doubted ? 0 : Number(dataset.version)]),
    who: document.documentElement.dataset.streamKey,
  };
}

// Ask whether this tab should ring for the turn that has begun.
export const claimBell = (topic, version, touched) => offer({ topic, version, touched });

function connectShared() {
  const worker = new SharedWorker(new URL('./stream-worker.js', import.meta.url), { type: 'module', name: 'spieltisch' });
  const leaving = new AbortController();
  const leave = () => {
    if (leaving.signal.aborted) return;
    leaving.abort();
    clearInterval(checks);
    worker.port.postMessage({ bye: true });
    worker.port.close();
    for (const ring of offered.values()) ring(true);
    connectAlone();
  };
  // A worker may end, or lose its network for good when that process of the browser crashes. No event says so.
  let silent = false;
  let wasBroken = false;
  const checks = setInterval(async () => {
    const isBroken = silent || (status === 'lost' && !refused && await reachesServer());
    if (isBroken && wasBroken) { leave(); return; }
    wasBroken = isBroken;
    silent = true;
    worker.port.postMessage({ ping: true });
  }, CHECK);
  worker.onerror = leave;
  worker.port.onmessage = ({ data }) => {
    silent = false;
    if (!('rings' in data)) { dispatch(data); return; }
    offered.get(data.version)?.(data.rings);
    offered.delete(data.version);
  };
  offer = (bell) => new Promise((so) => {
    offered.set(bell.version, so);
    worker.port.postMessage({ bell });
  });
  greet = (doubted) => worker.port.postMessage(subscriptions(doubted));
  requestChanges = () => worker.port.postMessage({ ask: true });
  greet();
  // A port does not report that its page has closed; a page restored by "back" opens again.
  addEventListener('pagehide', () => worker.port.postMessage({ bye: true }), { signal: leaving.signal });
  addEventListener('pageshow', (event) => { if (event.persisted) greet(); }, leaving);
}

// Without SharedWorker (Chrome on Android), each visible page has its own connection; hidden ones close theirs, so that six open
// connections are never reached.
function connectAlone() {
  const line = new StreamConnection(dispatch);
  offer = () => true;
  greet = (doubted) => {
    const { topics, who } = subscriptions(doubted);
    if (document.hidden) line.unwatch(topics.map(([topic]) => topic));
    else line.watch(topics, who);
    if (line.status) showStatus({ status: line.status });
  };
  requestChanges = () => line.ask();
  document.addEventListener('visibilitychange', () => greet());
  greet();
}

document.getElementById('plans-place')?.append(...(plans ? [plans] : []));
if (page?.dataset.title) setTitle(page.dataset.title);
if (page?.dataset.topic) {
  ('SharedWorker' in window ? connectShared : connectAlone)();
  document.addEventListener('htmx:config:request', onRequest);
  document.addEventListener('htmx:after:request', onAnswered);
  document.addEventListener('htmx:after:swap', onNoticed);
  document.addEventListener('htmx:error', onRequestFailed);
  addEventListener('offline', onRequestFailed);
  addEventListener('online', onRequestFailed);
}
