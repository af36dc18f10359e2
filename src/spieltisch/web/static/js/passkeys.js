// A passkey is made, or asked for, when somebody presses the button; what their device says goes along with the form.

import { bytes, text } from './base64url.js';

const button = document.querySelector('[data-passkey]');
const hint = document.getElementById('passkey-hint');
const SAID = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];

async function said(form) {
  const body = new URLSearchParams({ token: form.elements.token.value });
  const answer = await fetch(button.dataset.ask, { method: 'POST', body });
  if (!answer.ok) return 'none'; // why, says the page that the form leads to
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
    hint.textContent = hint.dataset.failed; // by the person, by the browser, or by the device
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
