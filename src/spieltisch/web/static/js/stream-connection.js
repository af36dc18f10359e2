// A connection to the server: an EventSource that carries the fragments of all watched topics, each whole at first, then only its
// changed lines. htmx's hx-sse would open one connection per element and tab, but a browser allows only six to one host. Here one
// connection serves all tabs (see stream-worker.js); each tab passes what arrives to htmx's morphing swap. The EventSource is closed
// and opened manually, because its own reconnecting repeats the first URL, whose versions are out of date by then.
//
// A proxy or a virus scanner may hold the stream back. Only heartbeats prove that it arrives: while they are late, changes are asked for.

import { applyChanges } from './deltas.js';
import { inSite } from './site-path.js';

const MIN_BACKOFF_MS = 500; // milliseconds, like all below
const MAX_BACKOFF_MS = 5000;
const FIRST_HEARTBEAT_TIMEOUT_MS = 5000; // the server sends the first heartbeat immediately
const HEARTBEAT_TIMEOUT_MS = 20000; // and then at least one every 15 seconds
const SILENCE_TIMEOUT_MS = 40000; // after this long the stream is opened again
const REQUEST_INTERVAL_MS = 4000;
const REQUEST_TIMEOUT_MS = 15000;
const LOSS_GRACE_TIME_MS = 2000; // a connection that is back by then was not lost

export class StreamConnection {
  #onMessage; #source = null; #topics = new Map(); #lines = new Map(); #sessionKey = ''; #failures = 0; #reopenTimer = 0; #lastHeardAt = 0; #nextRequestAt = Infinity; #status = null; #lossTimer = 0; #refusalRequest = null; #isRequesting = false;

  build = ''; // the server's build, once it is known
  isUnsaved = null; // whether the server can't save anything, once that is known
  announcement = null; // the operator's text for all pages, once it is known

  // Calls `onMessage` with {topic, version, html} for each fragment, {build} for the server's build, {isUnsaved} when the server can't
  // save anything or can again, {announcement} for the operator's text, and {status} when that changes: "up", "slow" if only requests
  // are answered, or "lost", with `reason` if the server gave one.
  constructor(onMessage) {
    this.#onMessage = onMessage;
    setInterval(() => {
      if (this.#source && Math.abs(Date.now() - this.#lastHeardAt) > SILENCE_TIMEOUT_MS) this.#handleLoss();
      if (Date.now() > this.#nextRequestAt) this.requestChanges();
    }, 1000);
  }

  get status() { return this.#status; }

  // `topics` are pairs of a topic and the version that the page has; an older one than is known here opens the stream again. So does a
  // change of `sessionKey`, which stands for session and language and is not sent to the server.
  watch(topics, sessionKey) {
    let isReopenNeeded = sessionKey !== this.#sessionKey || !(this.#source || this.#reopenTimer);
    for (const [topic, version] of topics) {
      const knownVersion = this.#topics.get(topic);
      if (knownVersion !== undefined && version >= knownVersion) continue;
      this.#topics.set(topic, version);
      isReopenNeeded = true;
    }
    this.#sessionKey = sessionKey;
    if (!isReopenNeeded) return;
    if (this.#status === 'up') this.#status = null; // must be confirmed again
    this.#open();
  }

  unwatch(topics) {
    for (const topic of topics) this.#topics.delete(topic);
    if (this.#topics.size > 0) return;
    this.close();
    this.#nextRequestAt = Infinity;
  }

  close() {
    clearTimeout(this.#reopenTimer);
    this.#reopenTimer = 0;
    this.#source?.close();
    this.#source = null;
    this.#refusalRequest?.abort();
    this.#refusalRequest = null;
  }

  // Request what is new.
  async requestChanges() {
    if (this.#isRequesting) return;
    this.#isRequesting = true;
    const isOverdue = Date.now() > this.#nextRequestAt;
    let retryDelay = REQUEST_INTERVAL_MS;
    try {
      const response = await fetch(this.#address('/changes'), { cache: 'no-store', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
      retryDelay = 1000 * Number(response.headers.get('Retry-After')) || retryDelay;
      if (!response.ok) throw new Error(response.status);
      for (const state of response.status === 200 ? await response.json() : []) this.#deliver(state);
      this.#reportBuild(response.headers.get('Build'));
      this.#reportUnsaved(response.headers.get('Unsaved') === 'yes');
      this.#reportAnnouncement(decodeURIComponent(response.headers.get('Announcement') ?? ''));
      if (isOverdue) this.#setStatus('slow');
    } catch {
      if (isOverdue) this.#setStatus('lost');
    }
    if (isOverdue && Date.now() > this.#nextRequestAt) this.#nextRequestAt = Date.now() + retryDelay;
    this.#isRequesting = false;
  }

  #address(path) {
    const query = new URLSearchParams();
    for (const [topic, version] of this.#topics) query.append('watch', `${topic}@${version}`);
    return `${inSite(path)}?${query}`;
  }

  #open() {
    this.close();
    const eventSource = new EventSource(`${this.#address('/stream')}&changes=yes`);
    this.#source = eventSource;
    this.#lines.clear();
    this.#lastHeardAt = Date.now();
    this.#nextRequestAt = Math.min(this.#nextRequestAt, Date.now() + FIRST_HEARTBEAT_TIMEOUT_MS);
    eventSource.onerror = () => { if (eventSource === this.#source) this.#handleLoss(); };
    eventSource.addEventListener('heartbeat', ({ data }) => {
      this.#confirmAlive();
      const [build, isUnsaved, announcement = ''] = data.split('\n');
      this.#reportBuild(build);
      this.#reportUnsaved(isUnsaved === 'unsaved');
      this.#reportAnnouncement(announcement);
    });
    eventSource.addEventListener('state', (event) => this.#receive(event, () => event.data.split('\n')));
    eventSource.addEventListener('change', (event) => this.#receive(event, (previousLines) => applyChanges(previousLines, event.data.split('\n'))));
  }

  #receive({ lastEventId }, nextLines) {
    this.#confirmAlive();
    const separator = lastEventId.lastIndexOf('@');
    const topic = lastEventId.slice(0, separator);
    const lines = nextLines(this.#lines.get(topic));
    this.#lines.set(topic, lines);
    this.#deliver({ topic, version: Number(lastEventId.slice(separator + 1)), html: lines.join('\n') });
  }

  // What was held back may arrive after what was asked for.
  #deliver(state) {
    if (!(state.version > this.#topics.get(state.topic))) return;
    this.#topics.set(state.topic, state.version);
    this.#onMessage(state);
  }

  #reportBuild(build) {
    if (build && build !== this.build) this.#onMessage({ build: this.build = build });
  }

  #reportUnsaved(isUnsaved) {
    if (isUnsaved !== this.isUnsaved) this.#onMessage({ isUnsaved: this.isUnsaved = isUnsaved });
  }

  #reportAnnouncement(announcement) {
    if (announcement !== this.announcement) this.#onMessage({ announcement: this.announcement = announcement });
  }

  #setStatus(status) {
    clearTimeout(this.#lossTimer);
    this.#lossTimer = 0;
    if (this.#status === status) return;
    this.#status = status;
    this.#onMessage({ status });
  }

  #confirmAlive() {
    this.#lastHeardAt = Date.now();
    this.#nextRequestAt = this.#lastHeardAt + HEARTBEAT_TIMEOUT_MS;
    this.#failures = 0;
    this.#setStatus('up');
  }

  #handleLoss() {
    this.close();
    this.#nextRequestAt = Math.min(this.#nextRequestAt, Date.now() + FIRST_HEARTBEAT_TIMEOUT_MS);
    if (this.#status !== 'slow') this.#lossTimer ||= setTimeout(() => this.#setStatus('lost'), LOSS_GRACE_TIME_MS);
    this.#reopenAfter(Math.min(MIN_BACKOFF_MS * 2 ** this.#failures++, MAX_BACKOFF_MS) * (0.8 + 0.4 * Math.random()));
    this.#requestRefusal();
  }

  #reopenAfter(retryDelay) {
    clearTimeout(this.#reopenTimer);
    this.#reopenTimer = setTimeout(() => { this.#reopenTimer = 0; this.#open(); }, retryDelay);
  }

  // An EventSource cannot read a refusal. A successful answer is another stream, which is closed immediately.
  async #requestRefusal() {
    const refusalRequest = new AbortController();
    this.#refusalRequest = refusalRequest;
    try {
      const response = await fetch(this.#address('/stream'), { headers: { Accept: 'application/json' }, signal: refusalRequest.signal });
      if (response.status === 429 || response.status === 403) {
        const { message } = await response.json();
        if (refusalRequest !== this.#refusalRequest) return;
        const retryDelay = 1000 * Number(response.headers.get('Retry-After')) || MAX_BACKOFF_MS;
        this.#setStatus('lost');
        this.#onMessage({ status: 'lost', reason: message });
        this.#reopenAfter(retryDelay);
        this.#nextRequestAt = Date.now() + retryDelay + FIRST_HEARTBEAT_TIMEOUT_MS;
      }
    } catch {
      // The server cannot be reached, or the stream has been opened again in the meantime.
    } finally {
      refusalRequest.abort();
    }
  }
}
