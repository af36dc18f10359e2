// Buttons that copy a URL, or pass it to the system's share dialog if it has one.

function copy(button) {
  const address = new URL(button.dataset.copy, location.href).href;
  const field = Object.assign(document.createElement('textarea'), { value: address, readOnly: true, className: 'visually-hidden' });
  document.body.append(field);
  field.select();
  // The clipboard API needs https; friends in one home play over http.
  const done = document.execCommand('copy');
  field.remove();
  if (done) {
    const before = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = before; }, 1500);
  }
  button.focus();
}

async function share(button) {
  try {
    await navigator.share({ title: document.title, url: button.dataset.share });
  } catch (fault) {
    if (fault.name !== 'AbortError') throw fault; // AbortError: the person has closed the dialog
  }
}

if (!('popover' in HTMLElement.prototype)) import('./popovers.js');
if ('share' in navigator) document.documentElement.dataset.shares = '';

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-do="copy"], [data-do="share"], [data-do="invite"]');
  if (button) (button.dataset.do === 'share' || (button.dataset.do === 'invite' && 'share' in navigator) ? share : copy)(button);
});
