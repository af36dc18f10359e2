// Popovers for browsers without them (Chrome before 114, Firefox before 125, Safari before 17): the same buttons open the same
// elements; a click elsewhere or Escape closes them.

const findOpenPopover = () => document.querySelector('[popover].is-open');

function setPopoverOpen(popover, isOpen) {
  findOpenPopover()?.classList.remove('is-open');
  popover?.classList.toggle('is-open', isOpen);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[popovertarget]');
  if (!button) {
    if (!target.closest('[popover].is-open')) setPopoverOpen(null, false);
    return;
  }
  const popover = document.getElementById(button.getAttribute('popovertarget'));
  setPopoverOpen(popover, button.getAttribute('popovertargetaction') !== 'hide' && !popover.classList.contains('is-open'));
});
document.addEventListener('keydown', ({ key }) => { if (key === 'Escape') setPopoverOpen(null, false); });
