// Buttons that copy a URL, or pass it to the system's share dialog if it has one.

function copyUrl(button) {
  const url = new URL(button.dataset.copyUrl, location.href).href;
  const copyField = Object.assign(document.createElement('textarea'), { value: url, readOnly: true, className: 'visually-hidden' });
  document.body.append(copyField);
  copyField.select();
  // The clipboard API needs https; friends in one home play over http.
  const isCopied = document.execCommand('copy');
  copyField.remove();
  if (isCopied) {
    const previousText = button.textContent;
    button.textContent = button.dataset.copiedLabel;
    setTimeout(() => { button.textContent = previousText; }, 1500);
  }
  button.focus();
}

async function shareUrl(button) {
  try {
    await navigator.share({ title: document.title, url: button.dataset.shareUrl });
  } catch (error) {
    if (error.name !== 'AbortError') throw error; // AbortError: the person has closed the dialog
  }
}

if (!('popover' in HTMLElement.prototype)) import('./popovers.js');
if ('share' in navigator) document.documentElement.dataset.hasShareDialog = '';

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-action="copy"], [data-action="share"], [data-action="invite"]');
  if (button) (button.dataset.action === 'share' || (button.dataset.action === 'invite' && 'share' in navigator) ? shareUrl : copyUrl)(button);
});
