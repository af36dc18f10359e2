// A guided first round or a worked example: moves and steps without loading the page anew, so that pieces travel. What a move leads to is said by the
// server; where the learner stands is in the address.
import './move-picker.js';
import './map.js';
import './symbol-names.js';
import { enqueue, skipAll, isSkipping } from './playback-queue.js';
import { boardHtml, playMoves } from './board-playback.js';

const live = () => document.getElementById('live');
const phone = matchMedia('(max-width: 51.99rem)'); // there the lesson stands above the board
let wanted = 0; // counts requests, so that a late answer does not overtake a newer one
let unfolding = false; // the boards show moves, and the words beside them are still those of the step before

async function ask(address) {
  const mine = ++wanted;
  skipAll();
  const answer = await fetch(address, { headers: { 'HX-Request': 'true' } });
  const html = await answer.text();
  if (mine !== wanted) return;
  const there = new URL(answer.url);
  if (there.pathname.endsWith('/play')) tell(html);
  else if (answer.ok) enqueue(() => show(html, there));
  else location.assign(address);
}

// A word about the move that was chosen; nothing was played. What is to be confirmed leaves it chosen.
async function tell(html) {
  if (!html.includes('id="confirm"')) document.dispatchEvent(new CustomEvent('spieltisch:changed'));
  await window.htmx.swap({ sourceElement: live(), target: document.getElementById('notice'), text: html, swap: 'innerHTML' });
  document.getElementById('prompt').scrollTop = 0;
}

// The boards that the learner has before them show move by move what has happened since; the words wait for the last piece to land.
async function show(html, there) {
  const next = new DOMParser().parseFromString(html, 'text/html');
  const { from, to, boardsUrl } = next.getElementById('live').dataset;
  const [first, last, now] = [Number(from), Number(to), boardHtml(next)];
  const unfolds = Number(live().dataset.to) <= first && first < last && !isSkipping();
  if (there.href !== location.href) history.pushState(null, '', there);
  if (unfolds) {
    unfolding = true;
    if (phone.matches) document.querySelector('#map, #panel').scrollIntoView();
    await playMoves({ from: first, to: last, address: (at) => `${boardsUrl}${at}`, now }).catch(reportError);
    unfolding = false;
  }
  await window.htmx.swap({ sourceElement: live(), target: live(), text: next.getElementById('live').outerHTML, swap: 'outerMorph' });
  document.dispatchEvent(new CustomEvent('spieltisch:changed'));
  document.getElementById('said').textContent = live().dataset.announce;
  document.getElementById('prompt').scrollTop = 0;
  scrollTo({ top: 0 });
  document.getElementById('lesson-title').focus({ preventScroll: true }); // in an example none is: one goes on by the same link
}

document.addEventListener('submit', (event) => {
  if (event.target.id !== 'act' || !event.submitter) return;
  event.preventDefault();
  if (unfolding) return; // what can be chosen is about to change; a press shows that at once (playback-queue.js)
  const address = new URL(event.submitter.formAction);
  address.searchParams.set('move', event.submitter.value);
  ask(address);
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-go]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!unfolding || link.href !== location.href) ask(link.href);
});

addEventListener('popstate', () => ask(location.href));
