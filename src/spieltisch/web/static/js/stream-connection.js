// One line to the server: an EventSource that carries the fragments of every topic watched, each whole when it comes for the first
// time, then only the lines that are new in it.
//
// Why not htmx's own hx-sse: it opens one connection per element and tab, and a browser opens six to one host and then waits
// for ever. Here one Line serves all tabs (see stream-worker.js); each tab hands what arrives to htmx's morphing swap.
// An EventSource is closed and opened again by hand, because its own reconnecting repeats the first address, in which the
// versions we know by now would be out of date.

import { applyChanges } from './deltas.js';

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5000;
const SILENCE = 40000; // the server beats every 15 seconds; after this long without a sign the line is taken for dead

export class StreamConnection {
  #tell; #source = null; #topics = new Map(); #lines = new Map(); #who = ''; #failures = 0; #timer = 0; #heard = 0; #up = null; #asking = null;

  build = ''; // of the server, once it has named it

  // tell({topic, version, html}) for what arrives, tell({build}) for what the server was built from, tell({up: true | false}) when the line comes and goes, with `why` where the
  // server said why it does not take us
  constructor(tell) {
    this.#tell = tell;
    setInterval(() => {
      if (this.#source && Date.now() - this.#heard > SILENCE) this.#lost();
    }, 5000);
  }

  get up() { return this.#up; }

  // `topics` are pairs of a topic and the version that is there; with an older one than is known, who doubts the line has it
  // opened anew. `who` stands for session and language: when either changes, the
  // stream is opened anew. It tells the server nothing.
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
    if (this.#up) this.#up = null; // to be proved anew
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
    this.#again(Math.min(FIRST_PAUSE * 2 ** this.#failures++, LONGEST_PAUSE) * (0.8 + 0.4 * Math.random()));
    this.#ask();
  }

  #again(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#timer = 0; this.#open(); }, pause);
  }

  // An EventSource cannot read a refusal. What answers well is a stream of its own, and let go at once.
  async #ask() {
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const answer = await fetch(this.#address(), { headers: { Accept: 'application/json' }, signal: asking.signal });
      if (answer.status === 429) {
        const { message } = await answer.json();
        if (asking !== this.#asking) return;
        this.#tell({ up: false, why: message });
        this.#again(1000 * Number(answer.headers.get('Retry-After')) || LONGEST_PAUSE);
      }
    } catch {
      // The server cannot be reached, or the stream has been opened anew meanwhile.
    } finally {
      asking.abort();
    }
  }
}
