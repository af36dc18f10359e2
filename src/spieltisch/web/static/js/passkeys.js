// Creates or requests a passkey when the button is pressed; the answer of the device is sent with the form.

import { decodeBase64Url, encodeBase64Url } from './base64url.js';

const passkeyButton = document.querySelector('[data-passkey-method]');
const failureHint = document.getElementById('passkey-hint');
const RESPONSE_FIELDS = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];

async function requestCredential(form) {
  const requestBody = new URLSearchParams({ token: form.elements.token.value });
  const optionsResponse = await fetch(passkeyButton.dataset.optionsUrl, { method: 'POST', body: requestBody });
  if (!optionsResponse.ok) return 'none'; // the page after the form gives the reason
  const publicKey = await optionsResponse.json();
  publicKey.challenge = decodeBase64Url(publicKey.challenge);
  if (publicKey.user) publicKey.user.id = decodeBase64Url(publicKey.user.id);
  for (const credential of publicKey.excludeCredentials ?? []) credential.id = decodeBase64Url(credential.id);
  const { id, rawId, type, response } = await navigator.credentials[passkeyButton.dataset.passkeyMethod]({ publicKey });
  const responseParts = RESPONSE_FIELDS.filter((part) => response[part]).map((part) => [part, encodeBase64Url(response[part])]);
  return JSON.stringify({ id, rawId: encodeBase64Url(rawId), type, response: Object.fromEntries(responseParts) });
}

async function submitPasskey(event) {
  event.preventDefault();
  const { form, dataset } = passkeyButton;
  if (dataset.passkeyMethod === 'create' && !form.reportValidity()) return;
  try {
    form.elements.passkey.value = await requestCredential(form);
  } catch {
    failureHint.textContent = failureHint.dataset.failedText; // refused by the person, the browser or the device
    failureHint.hidden = false;
    return;
  }
  form.submit();
}

if (passkeyButton && window.PublicKeyCredential) {
  passkeyButton.addEventListener('click', submitPasskey);
  passkeyButton.hidden = false;
  failureHint.hidden = true;
}
