// Works while no page is open: shows push messages, opens the right table, and without a connection shows the player's tables as last
// seen. It stores that page only, and renews it with every request, so that nothing is left after signing out.

const KEPT = 'spieltisch';
const OFFLINE = '/offline';

async function keep() {
  const page = await fetch(OFFLINE, { cache: 'no-store' }).catch(() => null); // then the stored page stays
  if (page?.ok) await (await caches.open(KEPT)).put(OFFLINE, page);
}

async function offline() {
  return (await caches.match(OFFLINE)) ?? Response.error();
}

function badge(turns) {
  if (!('setAppBadge' in navigator)) return null;
  return (turns ? navigator.setAppBadge(turns) : navigator.clearAppBadge()).catch(() => {}); // this device shows no number on the icon
}

async function open(url) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === url);
  return there ? there.focus() : clients.openWindow(url);
}

addEventListener('install', (event) => event.waitUntil(Promise.all([keep(), skipWaiting()])));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || event.request.method !== 'GET') return;
  event.respondWith(fetch(event.request).then((page) => { event.waitUntil(keep()); return page; }, offline));
});

addEventListener('push', (event) => {
  const { title, body, url, turns, language } = event.data.json();
  const options = { body, tag: url, lang: language, icon: ICON, data: { url } };
  event.waitUntil(Promise.all([registration.showNotification(title, options), badge(turns)]));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});
