// Parts of the boards that a player folds at a desk stay folded in this browser. The root names them, for the style sheets. Until a
// player has folded or unfolded one, those for which the window is too small are folded.

const STORAGE_KEY = 'folded-parts';
const root = document.documentElement;
const getFoldedParts = () => root.dataset.foldedParts.split(' ').filter(Boolean);

function readStoredParts() {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null; // the browser keeps nothing
  }
}

let chosenParts = readStoredParts();

function updateFoldedParts() {
  const partsToFold = [...document.querySelectorAll('[data-fold-media-query]')].filter(({ dataset }) => matchMedia(dataset.foldMediaQuery).matches);
  root.dataset.foldedParts = chosenParts ?? partsToFold.map(({ dataset }) => dataset.foldTarget).join(' ');
  for (const button of document.querySelectorAll('[data-fold-target]')) {
    button.setAttribute('aria-expanded', String(!getFoldedParts().includes(button.dataset.foldTarget)));
  }
}

document.addEventListener('click', ({ target }) => {
  const partId = target.closest('[data-fold-target]')?.dataset.foldTarget;
  if (!partId) return;
  const otherParts = getFoldedParts().filter((id) => id !== partId);
  chosenParts = (otherParts.length < getFoldedParts().length ? otherParts : [...otherParts, partId]).join(' ');
  try {
    localStorage.setItem(STORAGE_KEY, chosenParts);
  } catch { /* it holds for this page */ }
  updateFoldedParts();
});
for (const eventName of ['spieltisch:page-updated', 'spieltisch:boards-updated']) document.addEventListener(eventName, updateFoldedParts);
addEventListener('resize', updateFoldedParts);
updateFoldedParts();
