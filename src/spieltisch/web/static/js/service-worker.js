// Works while no page is open: shows push messages, opens the right table, and without a connection shows the player's tables as last
// seen. It stores that page only, and renews it with every request, so that nothing is left after signing out.

const CACHE_NAME = 'spieltisch';
const OFFLINE_URL = 'offline'; // beside this script, as all of the site

async function storeOfflinePage() {
  const page = await fetch(OFFLINE_URL, { cache: 'no-store' }).catch(() => null); // then the stored page stays
  if (page?.ok) await (await caches.open(CACHE_NAME)).put(OFFLINE_URL, page);
}

async function getOfflineResponse() {
  return (await caches.match(OFFLINE_URL)) ?? Response.error();
}

function setBadge(turns) {
  if (!('setAppBadge' in navigator)) return null;
  return (turns ? navigator.setAppBadge(turns) : navigator.clearAppBadge()).catch(() => {}); // this device shows no number on the icon
}

async function openTable(url) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const openPage = pages.find((page) => new URL(page.url).pathname === url);
  return openPage ? openPage.focus() : clients.openWindow(url);
}

addEventListener('install', (event) => event.waitUntil(Promise.all([storeOfflinePage(), skipWaiting()])));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || event.request.method !== 'GET') return;
  event.respondWith(fetch(event.request).then((page) => { event.waitUntil(storeOfflinePage()); return page; }, getOfflineResponse));
});

addEventListener('push', (event) => {
  const { title, body, url, turns, language } = event.data.json();
  const options = { body, tag: url, lang: language, icon: ICON, data: { url } };
  event.waitUntil(Promise.all([registration.showNotification(title, options), setBadge(turns)]));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openTable(event.notification.data.url));
});
