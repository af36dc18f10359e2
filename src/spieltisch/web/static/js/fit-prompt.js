// At a desk as little as can be of the prompt has to be scrolled: where it is longer than its room it is set tighter, then what a move
// would do is left to the ghosts on the boards.

const STEPS = ['', 'tight', 'tight brief'];
const desk = matchMedia(document.getElementById('desk').media);
const changes = { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['open', 'hidden', 'class'] };
const root = document.documentElement; // no push replaces it

const fits = (box) => box.scrollHeight <= box.clientHeight + 1;

let anew = true; // once something is chosen it only becomes tighter: nothing moves to and fro under the pointer
let soon = 0;

function fit() {
  soon = 0;
  anew ||= !document.querySelector('#prompt .back');
  if (!desk.matches) {
    delete root.dataset.fit;
    return;
  }
  const began = anew ? 0 : Math.max(0, STEPS.indexOf(root.dataset.fit));
  anew = false;
  for (const step of STEPS.slice(began)) {
    if (root.dataset.fit !== step) root.dataset.fit = step;
    if ([...document.querySelectorAll('#prompt, #teaching')].every(fits)) break;
  }
}

// Of all that changes before a frame, the boards are laid out once.
const later = () => { soon ||= requestAnimationFrame(fit); };
const watching = new MutationObserver(later);

function watch() {
  const prompt = document.getElementById('prompt');
  if (prompt) watching.observe(prompt, changes);
  anew = true;
  later();
}

document.addEventListener('spieltisch:changed', watch);
addEventListener('resize', watch);
document.fonts.ready.then(watch);
