// Buttons that copy an address, or hand it to what the system shares with, where that is there.

function copy(button) {
  const address = new URL(button.dataset.copy, location.href).href;
  const field = Object.assign(document.createElement('textarea'), { value: address, readOnly: true, className: 'visually-hidden' });
  document.body.append(field);
  field.select();
  // The clipboard API is there only over https; friends in one house play over http.
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
    if (fault.name !== 'AbortError') throw fault; // that is who has changed their mind
  }
}

if (!('popover' in HTMLElement.prototype)) import('./popovers.js');
if ('share' in navigator) document.documentElement.dataset.shares = '';

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-do="copy"], [data-do="share"]');
  if (button) (button.dataset.do === 'copy' ? copy : share)(button);
});
