// The stream that all tabs of this browser share.
import { StreamConnection } from './stream-connection.js';

const watchers = new Map(); // port -> its topics
let build = ''; // of the server; pages of another one load again
let who = ''; // session and language of the tab that opened last
const latest = new Map(); // topic -> its newest fragment, for tabs that open later
const bells = new Map(); // topic -> the last turn announced there, the tabs that offer to ring, and whether one was chosen
const LATE = 2000; // milliseconds to wait for tabs that have not answered yet

const line = new StreamConnection((message) => {
  if (message.build && message.build !== build) { build = message.build; latest.clear(); } // an older backup may have been restored
  if (message.topic) latest.set(message.topic, message);
  for (const [port, topics] of watchers) {
    if (!message.topic || topics.includes(message.topic)) port.postMessage(message);
  }
});

function forget(port) {
  const topics = watchers.get(port) ?? [];
  watchers.delete(port);
  const wanted = new Set([...watchers.values()].flat());
  const free = topics.filter((topic) => !wanted.has(topic));
  for (const topic of free) latest.delete(topic);
  if (free.length) line.unwatch(free);
}

// Only one tab rings: the first one that was touched, because others may not be allowed to play a sound; otherwise the first.
function offer(port, { topic, version, touched }) {
  if (!(bells.get(topic)?.version >= version)) {
    const bell = { version, offers: [], chosen: false };
    bells.set(topic, bell);
    setTimeout(() => choose(bell), LATE);
  }
  const bell = bells.get(topic);
  if (bell.chosen || bell.version > version) { port.postMessage({ version, rings: false }); return; }
  bell.offers.push({ port, touched });
  const watching = [...watchers.values()].filter((topics) => topics.includes(topic)).length;
  if (touched || bell.offers.length >= watching) choose(bell);
}

function choose(bell) {
  if (bell.chosen) return;
  bell.chosen = true;
  const best = bell.offers.find(({ touched }) => touched) ?? bell.offers[0];
  for (const one of bell.offers) one.port.postMessage({ version: bell.version, rings: one === best });
}

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.bye) { forget(port); return; }
    if (data.ping) { port.postMessage({ pong: true }); return; }
    if (data.ask) { line.ask(); return; }
    if (data.bell) { offer(port, data.bell); return; }
    watchers.set(port, data.topics.map(([topic]) => topic));
    if (data.who !== who) latest.clear();
    who = data.who;
    for (const [topic, version] of data.topics) {
      const known = latest.get(topic);
      if (known && known.version > version) port.postMessage(known);
    }
    line.watch(data.topics, data.who);
    if (line.build) port.postMessage({ build: line.build });
    if (line.unsaved !== null) port.postMessage({ unsaved: line.unsaved });
    if (line.status) port.postMessage({ status: line.status });
  };
};
