// Ask for the browser's permission only when the player requests notifications.

const notificationCheckbox = document.getElementById('turn-notification');
const deniedHint = document.getElementById('turn-notification-hint');

async function askPermission() {
  if (!notificationCheckbox.checked) { deniedHint.textContent = ''; return; }
  const permission = 'Notification' in window && window.isSecureContext ? await Notification.requestPermission() : 'denied';
  if (permission !== 'granted') {
    notificationCheckbox.checked = false;
    deniedHint.textContent = deniedHint.dataset.deniedText;
  }
}

notificationCheckbox?.addEventListener('change', askPermission);
