// Sends the address of this browser's push service to the server, on request and with the person's permission.

import { inSite } from './site-path.js';
import { decodeBase64Url, encodeBase64Url } from './base64url.js';

const pushForm = document.getElementById('push-form');
const pushButton = document.getElementById('push-button');
const pushHint = document.getElementById('push-hint');
const zoneSelect = document.querySelector('#time-zone[data-must-detect-zone]');

async function subscribeToPush(event) {
  event.preventDefault();
  try {
    if (await Notification.requestPermission() !== 'granted') throw new Error('denied');
    const registration = await navigator.serviceWorker.ready;
    const serverKey = decodeBase64Url(pushForm.dataset.pushKey);
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey });
    pushForm.elements.endpoint.value = subscription.endpoint;
    pushForm.elements.key.value = encodeBase64Url(subscription.getKey('p256dh'));
    pushForm.elements.secret.value = encodeBase64Url(subscription.getKey('auth'));
  } catch {
    pushHint.textContent = pushHint.dataset.deniedText; // by the person, the browser or the push service
    pushHint.hidden = false;
    return;
  }
  pushForm.submit();
}

if (pushForm && 'serviceWorker' in navigator && 'PushManager' in window) {
  navigator.serviceWorker.register(inSite('/service-worker.js'));
  pushForm.addEventListener('submit', subscribeToPush);
  pushButton.hidden = false;
  pushHint.hidden = true;
}
if (zoneSelect) {
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...zoneSelect.options].some((option) => option.value === browserZone)) zoneSelect.value = browserZone;
}
