// A connection to the server: an EventSource that carries the fragments of all watched topics, each whole at first, then only its
// changed lines. htmx's hx-sse would open one connection per element and tab, but a browser allows only six to one host. Here one
// connection serves all tabs (see stream-worker.js); each tab passes what arrives to htmx's morphing swap. The EventSource is closed
// and opened manually, because its own reconnecting repeats the first URL, whose versions are out of date by then.
//
// A proxy or a virus scanner may hold the stream back. Only heartbeats prove that it arrives: while they are late, changes are asked for.

import { applyChanges } from './deltas.js';

const MIN_BACKOFF = 500; // milliseconds, like all below
const MAX_BACKOFF = 5000;
const FIRST_BEAT = 5000; // the server sends the first heartbeat immediately
const NEXT_BEAT = 20000; // and then at least one every 15 seconds
const SILENCE = 40000; // after this long the stream is opened again
const BETWEEN_REQUESTS = 4000;
const ANSWER = 15000;
const GRACE = 2000; // a connection that is back by then was not lost

export class StreamConnection {
  #tell; #source = null; #topics = new Map(); #lines = new Map(); #who = ''; #failures = 0; #timer = 0; #heard = 0; #due = Infinity; #status = null; #losing = 0; #asking = null; #requesting = false;

  build = ''; // the server's build, once it is known
  unsaved = null; // whether the server can't save anything, once that is known

  // Calls tell({topic, version, html}) for each fragment, tell({build}) for the server's build, tell({unsaved}) when the server can't save
  // anything or can again, and tell({status}) when that changes: "up", "slow" if only requests are answered, or "lost", with `why` if the
  // server gave a reason.
  constructor(tell) {
    this.#tell = tell;
    setInterval(() => {
      if (this.#source && Math.abs(Date.now() - this.#heard) > SILENCE) this.#lost();
      if (Date.now() > this.#due) this.ask();
    }, 1000);
  }

  get status() { return this.#status; }

  // `topics` are pairs of a topic and the version that the page has; an older one than is known here opens the stream again. So does a
  // change of `who`, which stands for session and language and is not sent to the server.
  watch(topics, who) {
    let anew = who !== this.#who || !(this.#source || this.#timer);
    for (const [topic, version] of topics) {
      const known = this.#topics.get(topic);
      if (known !== undefined && version >= known) continue;
      this.#topics.set(topic, version);
      anew = true;
    }
    this.#who = who;
    if (!anew) return;
    if (this.#status === 'up') this.#status = null; // must be confirmed again
    this.#open();
  }

  unwatch(topics) {
    for (const topic of topics) this.#topics.delete(topic);
    if (this.#topics.size > 0) return;
    this.close();
    this.#due = Infinity;
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#source?.close();
    this.#source = null;
    this.#asking?.abort();
    this.#asking = null;
  }

  // Request what is new.
  async ask() {
    if (this.#requesting) return;
    this.#requesting = true;
    const isLate = Date.now() > this.#due;
    let pause = BETWEEN_REQUESTS;
    try {
      const answer = await fetch(this.#address('/changes'), { cache: 'no-store', signal: AbortSignal.timeout(ANSWER) });
      pause = 1000 * Number(answer.headers.get('Retry-After')) || pause;
      if (!answer.ok) throw new Error(answer.status);
      for (const state of answer.status === 200 ? await answer.json() : []) this.#take(state);
      this.#tellBuild(answer.headers.get('Build'));
      this.#tellUnsaved(answer.headers.get('Unsaved') === 'yes');
      if (isLate) this.#become('slow');
    } catch {
      if (isLate) this.#become('lost');
    }
    if (isLate && Date.now() > this.#due) this.#due = Date.now() + pause;
    this.#requesting = false;
  }

  #address(path) {
    const query = new URLSearchParams();
    for (const [topic, version] of this.#topics) query.append('watch', `${topic}@${version}`);
    return `${path}?${query}`;
  }

  #open() {
    this.close();
    const source = new EventSource(`${this.#address('/stream')}&changes=yes`);
    this.#source = source;
    this.#lines.clear();
    this.#heard = Date.now();
    this.#due = Math.min(this.#due, Date.now() + FIRST_BEAT);
    source.onerror = () => { if (source === this.#source) this.#lost(); };
    source.addEventListener('beat', ({ data }) => {
      this.#alive();
      const [build, unsaved] = data.split('\n');
      this.#tellBuild(build);
      this.#tellUnsaved(unsaved === 'unsaved');
    });
    source.addEventListener('state', (event) => this.#bring(event, () => event.data.split('\n')));
    source.addEventListener('change', (event) => this.#bring(event, (had) => applyChanges(had, event.data.split('\n'))));
  }

  #bring({ lastEventId }, make) {
    this.#alive();
    const at = lastEventId.lastIndexOf('@');
    const topic = lastEventId.slice(0, at);
    const lines = make(this.#lines.get(topic));
    this.#lines.set(topic, lines);
    this.#take({ topic, version: Number(lastEventId.slice(at + 1)), html: lines.join('\n') });
  }

  // What was held back may arrive after what was asked for.
  #take(state) {
    if (!(state.version > this.#topics.get(state.topic))) return;
    this.#topics.set(state.topic, state.version);
    this.#tell(state);
  }

  #tellBuild(build) {
    if (build && build !== this.build) this.#tell({ build: this.build = build });
  }

  #tellUnsaved(unsaved) {
    if (unsaved !== this.unsaved) this.#tell({ unsaved: this.unsaved = unsaved });
  }

  #become(status) {
    clearTimeout(this.#losing);
    this.#losing = 0;
    if (this.#status === status) return;
    this.#status = status;
    this.#tell({ status });
  }

  #alive() {
    this.#heard = Date.now();
    this.#due = this.#heard + NEXT_BEAT;
    this.#failures = 0;
    this.#become('up');
  }

  #lost() {
    this.close();
    this.#due = Math.min(this.#due, Date.now() + FIRST_BEAT);
    if (this.#status !== 'slow') this.#losing ||= setTimeout(() => this.#become('lost'), GRACE);
    this.#again(Math.min(MIN_BACKOFF * 2 ** this.#failures++, MAX_BACKOFF) * (0.8 + 0.4 * Math.random()));
    this.#askWhy();
  }

  #again(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#timer = 0; this.#open(); }, pause);
  }

  // An EventSource cannot read a refusal. A successful answer is another stream, which is closed immediately.
  async #askWhy() {
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const answer = await fetch(this.#address('/stream'), { headers: { Accept: 'application/json' }, signal: asking.signal });
      if (answer.status === 429) {
        const { message } = await answer.json();
        if (asking !== this.#asking) return;
        const pause = 1000 * Number(answer.headers.get('Retry-After')) || MAX_BACKOFF;
        this.#become('lost');
        this.#tell({ status: 'lost', why: message });
        this.#again(pause);
        this.#due = Date.now() + pause + FIRST_BEAT;
      }
    } catch {
      // The server cannot be reached, or the stream has been opened again in the meantime.
    } finally {
      asking.abort();
    }
  }
}
