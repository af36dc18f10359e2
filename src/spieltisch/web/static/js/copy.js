// Buttons that copy an address.

function copy(button) {
  const address = new URL(button.dataset.copy, location.href).href;
  const field = Object.assign(document.createElement('textarea'), { value: address, readOnly: true, className: 'unseen' });
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

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-do="copy"]');
  if (button) copy(button);
});
