// The moves of the current turn: expanded if there is room, collapsed on a phone and while a move is to be confirmed, or as the player
// left them.
const wideScreenQuery = matchMedia('(min-width: 52rem)');
let isOpenByPlayer = null;

const updateExpansion = () => { for (const movesDetails of document.querySelectorAll('.steps-so-far')) movesDetails.open = isOpenByPlayer ?? (wideScreenQuery.matches && !movesDetails.closest('#notice')); };

document.addEventListener('click', (event) => {
  const movesDetails = event.target.closest('.steps-so-far > summary')?.parentElement;
  if (movesDetails) isOpenByPlayer = !movesDetails.open;
});
document.addEventListener('spieltisch:page-updated', updateExpansion);
document.addEventListener('htmx:after:swap', updateExpansion);
wideScreenQuery.addEventListener('change', updateExpansion);
updateExpansion();
