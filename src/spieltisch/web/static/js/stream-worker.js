// The stream that all tabs of this browser share.
import { StreamConnection } from './stream-connection.js';

const topicsByPort = new Map(); // port -> its topics
let serverBuild = ''; // of the server; pages of another one load again
let sessionKey = ''; // session and language of the tab that opened last
const latestFragments = new Map(); // topic -> its newest fragment, for tabs that open later
const bellsByTopic = new Map(); // topic -> the last turn announced there, the tabs that offer to ring, and whether one was chosen
const BELL_OFFER_TIMEOUT_MS = 2000; // milliseconds to wait for tabs that have not answered yet

const connection = new StreamConnection((message) => {
  if (message.build && message.build !== serverBuild) { serverBuild = message.build; latestFragments.clear(); } // an older backup may have been restored
  if (message.topic) latestFragments.set(message.topic, message);
  for (const [port, topics] of topicsByPort) {
    if (!message.topic || topics.includes(message.topic)) port.postMessage(message);
  }
});

function removePort(port) {
  const topics = topicsByPort.get(port) ?? [];
  topicsByPort.delete(port);
  const wantedTopics = new Set([...topicsByPort.values()].flat());
  const unwatchedTopics = topics.filter((topic) => !wantedTopics.has(topic));
  for (const topic of unwatchedTopics) latestFragments.delete(topic);
  if (unwatchedTopics.length) connection.unwatch(unwatchedTopics);
}

// Only one tab rings: the first one that was touched, because others may not be allowed to play a sound; otherwise the first.
function addBellOffer(port, { topic, version, isTouched }) {
  if (!(bellsByTopic.get(topic)?.version >= version)) {
    const bell = { version, offers: [], chosen: false };
    bellsByTopic.set(topic, bell);
    setTimeout(() => chooseRinger(bell), BELL_OFFER_TIMEOUT_MS);
  }
  const bell = bellsByTopic.get(topic);
  if (bell.chosen || bell.version > version) { port.postMessage({ version, isRinging: false }); return; }
  bell.offers.push({ port, isTouched });
  const watcherCount = [...topicsByPort.values()].filter((topics) => topics.includes(topic)).length;
  if (isTouched || bell.offers.length >= watcherCount) chooseRinger(bell);
}

function chooseRinger(bell) {
  if (bell.chosen) return;
  bell.chosen = true;
  const ringingOffer = bell.offers.find(({ isTouched }) => isTouched) ?? bell.offers[0];
  for (const bellOffer of bell.offers) bellOffer.port.postMessage({ version: bell.version, isRinging: bellOffer === ringingOffer });
}

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.isClosing) { removePort(port); return; }
    if (data.ping) { port.postMessage({ pong: true }); return; }
    if (data.requestChanges) { connection.requestChanges(); return; }
    if (data.bell) { addBellOffer(port, data.bell); return; }
    topicsByPort.set(port, data.topics.map(([topic]) => topic));
    if (data.sessionKey !== sessionKey) latestFragments.clear();
    sessionKey = data.sessionKey;
    for (const [topic, version] of data.topics) {
      const knownFragment = latestFragments.get(topic);
      if (knownFragment && knownFragment.version > version) port.postMessage(knownFragment);
    }
    connection.watch(data.topics, data.sessionKey);
    if (connection.build) port.postMessage({ build: connection.build });
    if (connection.isUnsaved !== null) port.postMessage({ isUnsaved: connection.isUnsaved });
    if (connection.announcement !== null) port.postMessage({ announcement: connection.announcement });
    if (connection.status) port.postMessage({ status: connection.status });
  };
};
