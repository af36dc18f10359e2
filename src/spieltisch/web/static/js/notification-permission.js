// Ask for the browser's permission only when the player requests notifications.

const box = document.getElementById('notify');
const hint = document.getElementById('notify-hint');

async function ask() {
  if (!box.checked) { hint.textContent = ''; return; }
  const answer = 'Notification' in window && window.isSecureContext ? await Notification.requestPermission() : 'denied';
  if (answer !== 'granted') {
    box.checked = false;
    hint.textContent = hint.dataset.denied;
  }
}

box?.addEventListener('change', ask);
