// At a desk nothing in the prompt has to be scrolled: where it is longer than its room it is set tighter, then the log below it is one
// entry, then what a move would do is left to the ghosts on the boards, and last it takes the room of what stands beside it.

const steps = (...names) => names.reduce((all, more) => [...all, `${all.at(-1)} ${more}`], ['']);
const STEPS = steps('tight', 'deep', 'brief', 'wide', 'wider', 'widest');
const FEWER = steps('tight', 'brief', 'deep'); // where there is little room the log and the talk are kept longer than the notes
const desk = matchMedia(document.getElementById('desk').media);
const large = matchMedia('(min-width: 89rem) and (min-height: 55rem)'); // on less nothing is laid over what stands beside it
const changes = { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['open', 'hidden', 'class'] };
const root = document.documentElement; // no push replaces it

const fits = (box) => box.scrollHeight <= box.clientHeight + 1;

let anew = true; // once something is chosen it only becomes tighter: nothing moves to and fro under the pointer
let soon = 0;

function fit() {
  soon = 0;
  anew ||= !document.querySelector('#choices .back');
  if (!desk.matches) {
    delete root.dataset.fit;
    return;
  }
  const most = large.matches && !document.getElementById('teaching') ? STEPS : FEWER;
  const began = anew ? 0 : Math.max(0, most.indexOf(root.dataset.fit));
  anew = false;
  for (const step of most.slice(began)) {
    if (root.dataset.fit !== step) root.dataset.fit = step;
    if ([...document.querySelectorAll('#prompt, #prompt > .at-place, #teaching')].every(fits)) break;
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
