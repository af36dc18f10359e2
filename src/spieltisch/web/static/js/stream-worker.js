// The one stream of this browser, shared by all its tabs.
import { Line } from './line.js';

const watchers = new Map(); // port -> topic
let who = ''; // of the tab that opened last
const latest = new Map(); // topic -> what arrived last, for a tab that opens later

const line = new Line((message) => {
  if (message.topic) latest.set(message.topic, message);
  for (const [port, topic] of watchers) {
    if (!message.topic || message.topic === topic) port.postMessage(message);
  }
});

function forget(port) {
  const topic = watchers.get(port);
  watchers.delete(port);
  if (topic !== undefined && ![...watchers.values()].includes(topic)) {
    latest.delete(topic);
    line.unwatch(topic);
  }
}

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.bye) { forget(port); return; }
    watchers.set(port, data.topic);
    if (data.who !== who) latest.clear();
    who = data.who;
    const known = latest.get(data.topic);
    if (known && known.version > data.version) port.postMessage(known);
    line.watch(data.topic, data.version, data.who);
    if (line.up !== null) port.postMessage({ up: line.up });
  };
};
