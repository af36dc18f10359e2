// The one stream of this browser, shared by all its tabs.
import { Line } from './line.js';

const watchers = new Map(); // port -> its topics
let who = ''; // of the tab that opened last
const latest = new Map(); // topic -> what arrived last, for a tab that opens later

const line = new Line((message) => {
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

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.bye) { forget(port); return; }
    watchers.set(port, data.topics.map(([topic]) => topic));
    if (data.who !== who) latest.clear();
    who = data.who;
    for (const [topic, version] of data.topics) {
      const known = latest.get(topic);
      if (known && known.version > version) port.postMessage(known);
    }
    line.watch(data.topics, data.who);
    if (line.up !== null) port.postMessage({ up: line.up });
  };
};
