// Popovers for browsers without them (Chrome before 114, Firefox before 125, Safari before 17): the same buttons open the same
// elements; a click elsewhere or Escape closes them.

const shown = () => document.querySelector('[popover].is-shown');

function show(box, on) {
  shown()?.classList.remove('is-shown');
  box?.classList.toggle('is-shown', on);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[popovertarget]');
  if (!button) {
    if (!target.closest('[popover].is-shown')) show(null, false);
    return;
  }
  const box = document.getElementById(button.getAttribute('popovertarget'));
  show(box, button.getAttribute('popovertargetaction') !== 'hide' && !box.classList.contains('is-shown'));
});
document.addEventListener('keydown', ({ key }) => { if (key === 'Escape') show(null, false); });
