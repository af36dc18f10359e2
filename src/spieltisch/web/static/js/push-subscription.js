// Sends the address of this browser's push service to the server, on request and with the person's permission.

import { bytes, text } from './base64url.js';

const form = document.getElementById('push');
const button = document.getElementById('push-button');
const hint = document.getElementById('push-hint');
const zone = document.querySelector('#zone[data-guess]');

async function subscribe(event) {
  event.preventDefault();
  try {
    if (await Notification.requestPermission() !== 'granted') throw new Error('denied');
    const worker = await navigator.serviceWorker.ready;
    const key = bytes(form.dataset.key);
    const given = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    form.elements.endpoint.value = given.endpoint;
    form.elements.key.value = text(given.getKey('p256dh'));
    form.elements.secret.value = text(given.getKey('auth'));
  } catch {
    hint.textContent = hint.dataset.denied; // by the person, the browser or the push service
    hint.hidden = false;
    return;
  }
  form.submit();
}

if (form && 'serviceWorker' in navigator && 'PushManager' in window) {
  navigator.serviceWorker.register('/service-worker.js');
  form.addEventListener('submit', subscribe);
  button.hidden = false;
  hint.hidden = true;
}
if (zone) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...zone.options].some((option) => option.value === here)) zone.value = here;
}
