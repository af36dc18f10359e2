// A connection to the server: an EventSource that carries the fragments of all watched topics, each whole at first, then only its
// changed lines. htmx's hx-sse would open one connection per element and tab, but a browser allows only six to one host. Here one
// connection serves all tabs (see stream-worker.js); each tab passes what arrives to htmx's morphing swap. The EventSource is closed
// and opened manually, because its own reconnecting repeats the first URL, whose versions are out of date by then.

import { applyChanges } from './deltas.js';

const MIN_BACKOFF = 500;
const MAX_BACKOFF = 5000;
const SILENCE = 40000; // milliseconds; the server sends a heartbeat every 15 seconds

export class StreamConnection {
  #tell; #source = null; #topics = new Map(); #lines = new Map(); #who = ''; #failures = 0; #timer = 0; #heard = 0; #up = null; #asking = null;

  build = ''; // the server's build, once it is known

  // Calls tell({topic, version, html}) for each fragment, tell({build}) for the server's build, and tell({up: true | false}) when the
  // connection opens or breaks, with `why` if the server gave a reason.
  constructor(tell) {
    this.#tell = tell;
    setInterval(() => {
      if (this.#source && Math.abs(Date.now() - this.#heard) > SILENCE) this.#lost();
    }, 5000);
  }

  get up() { return this.#up; }

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
    if (this.#up) this.#up = null; // must be confirmed again
    this.#open();
  }

  unwatch(topics) {
    for (const topic of topics) this.#topics.delete(topic);
    if (this.#topics.size === 0) this.close();
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#source?.close();
    this.#source = null;
    this.#asking?.abort();
    this.#asking = null;
  }

  #address() {
    const query = new URLSearchParams({ changes: 'yes' });
    for (const [topic, version] of this.#topics) query.append('watch', `${topic}@${version}`);
    return `/stream?${query}`;
  }

  #open() {
    this.close();
    const source = new EventSource(this.#address());
    this.#source = source;
    this.#lines.clear();
    this.#heard = Date.now();
    source.onopen = () => { this.#failures = 0; this.#alive(); };
    source.onerror = () => { if (source === this.#source) this.#lost(); };
    source.addEventListener('beat', ({ data }) => {
      this.#alive();
      if (data) this.#tell({ build: this.build = data });
    });
    source.addEventListener('state', (event) => this.#bring(event, () => event.data.split('\n')));
    source.addEventListener('change', (event) => this.#bring(event, (had) => applyChanges(had, event.data.split('\n'))));
  }

  #bring({ lastEventId }, make) {
    this.#alive();
    const at = lastEventId.lastIndexOf('@');
    const topic = lastEventId.slice(0, at);
    const version = Number(lastEventId.slice(at + 1));
    const lines = make(this.#lines.get(topic));
    this.#lines.set(topic, lines);
    this.#topics.set(topic, version);
    this.#tell({ topic, version, html: lines.join('\n') });
  }

  #alive() {
    this.#heard = Date.now();
    if (this.#up !== true) { this.#up = true; this.#tell({ up: true }); }
  }

  #lost() {
    this.close();
    if (this.#up !== false) { this.#up = false; this.#tell({ up: false }); }
    this.#again(Math.min(MIN_BACKOFF * 2 ** this.#failures++, MAX_BACKOFF) * (0.8 + 0.4 * Math.random()));
    this.#ask();
  }

  #again(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#timer = 0; this.#open(); }, pause);
  }

  // An EventSource cannot read a refusal. A successful answer is another stream, which is closed immediately.
  async #ask() {
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const answer = await fetch(this.#address(), { headers: { Accept: 'application/json' }, signal: asking.signal });
      if (answer.status === 429) {
        const { message } = await answer.json();
        if (asking !== this.#asking) return;
        this.#tell({ up: false, why: message });
        this.#again(1000 * Number(answer.headers.get('Retry-After')) || MAX_BACKOFF);
      }
    } catch {
      // The server cannot be reached, or the stream has been opened again in the meantime.
    } finally {
      asking.abort();
    }
  }
}
