// Creates or requests a passkey when the button is pressed; the answer of the device is sent with the form.

import { bytes, text } from './base64url.js';

const button = document.querySelector('[data-passkey]');
const hint = document.getElementById('passkey-hint');
const SAID = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];

async function said(form) {
  const body = new URLSearchParams({ token: form.elements.token.value });
  const answer = await fetch(button.dataset.ask, { method: 'POST', body });
  if (!answer.ok) return 'none'; // the page after the form gives the reason
  const publicKey = await answer.json();
  publicKey.challenge = bytes(publicKey.challenge);
  if (publicKey.user) publicKey.user.id = bytes(publicKey.user.id);
  for (const known of publicKey.excludeCredentials ?? []) known.id = bytes(known.id);
  const { id, rawId, type, response } = await navigator.credentials[button.dataset.passkey]({ publicKey });
  const parts = SAID.filter((part) => response[part]).map((part) => [part, text(response[part])]);
  return JSON.stringify({ id, rawId: text(rawId), type, response: Object.fromEntries(parts) });
}

async function use(event) {
  event.preventDefault();
  const { form, dataset } = button;
  if (dataset.passkey === 'create' && !form.reportValidity()) return;
  try {
    form.elements.passkey.value = await said(form);
  } catch {
    hint.textContent = hint.dataset.failed; // refused by the person, the browser or the device
    hint.hidden = false;
    return;
  }
  form.submit();
}

if (button && window.PublicKeyCredential) {
  button.addEventListener('click', use);
  button.hidden = false;
  hint.hidden = true;
}
