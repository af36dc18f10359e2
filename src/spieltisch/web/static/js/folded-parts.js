// Parts of the boards that a player folds at a desk stay folded in this browser. The root names them, for the style sheets. Until a
// player has folded or unfolded one, those for which the window is too small are folded.

const KEY = 'folded-parts';
const root = document.documentElement;
const folded = () => root.dataset.folded.split(' ').filter(Boolean);

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // the browser keeps nothing
  }
}

let chosen = stored();

function update() {
  const large = [...document.querySelectorAll('[data-folded-at]')].filter(({ dataset }) => matchMedia(dataset.foldedAt).matches);
  root.dataset.folded = chosen ?? large.map(({ dataset }) => dataset.folds).join(' ');
  for (const button of document.querySelectorAll('[data-folds]')) {
    button.setAttribute('aria-expanded', String(!folded().includes(button.dataset.folds)));
  }
}

document.addEventListener('click', ({ target }) => {
  const part = target.closest('[data-folds]')?.dataset.folds;
  if (!part) return;
  const others = folded().filter((id) => id !== part);
  chosen = (others.length < folded().length ? others : [...others, part]).join(' ');
  try {
    localStorage.setItem(KEY, chosen);
  } catch { /* it holds for this page */ }
  update();
});
for (const change of ['spieltisch:changed', 'spieltisch:boards']) document.addEventListener(change, update);
addEventListener('resize', update);
update();
