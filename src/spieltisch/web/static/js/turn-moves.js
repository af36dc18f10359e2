// The moves of the current turn: expanded if there is room, collapsed on a phone, or as the player left them.
const roomy = matchMedia('(min-width: 52rem)');
let wished = null;

const show = () => { for (const steps of document.querySelectorAll('.steps-so-far')) steps.open = wished ?? roomy.matches; };

document.addEventListener('click', (event) => {
  const steps = event.target.closest('.steps-so-far > summary')?.parentElement;
  if (steps) wished = !steps.open;
});
document.addEventListener('spieltisch:changed', show);
document.addEventListener('htmx:after:swap', show);
roomy.addEventListener('change', show);
show();
