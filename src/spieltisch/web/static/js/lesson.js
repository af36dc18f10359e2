// A guided first round or a worked example: moves and steps without reloading the page, so that pieces can move. The server explains
// the result of a move; the URL contains the learner's position.
import { foldBlocked } from './move-picker.js';
import './map.js';
import './folded-parts.js';
import './symbol-names.js';
import { enqueue, skipAll, isSkipping } from './playback-queue.js';
import { boardHtml, playMoves } from './board-playback.js';
import { animationSpeed } from './piece-animation.js';

const live = () => document.getElementById('live');
let wanted = 0; // number of requests, so that a late answer does not replace a newer one
let pointing = false; // "Show me" shows where to press
let unfolding = false; // the boards play moves while the text is still that of the previous step

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

// An explanation of the chosen move, which was not played. A move that needs confirmation stays chosen.
async function tell(html) {
  if (!html.includes('id="confirm"')) document.dispatchEvent(new CustomEvent('spieltisch:changed'));
  await window.htmx.swap({ sourceElement: live(), target: document.getElementById('notice'), text: html, swap: 'innerHTML' });
  document.getElementById('prompt').scrollTop = 0;
}

// Show the choice and the places that the task asks for, before the move is played. Another press does not wait.
async function point(address) {
  const { hold } = animationSpeed();
  const places = [...document.querySelectorAll('#map-static .is-asked, #panel .is-asked')];
  const all = [...document.querySelectorAll('#choices .asked'), ...places];
  if (pointing || !hold || !all.length) { ask(address); return; }
  pointing = true;
  const mine = ++wanted;
  for (const one of [all[0], ...places.slice(0, 1)]) one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  for (const one of all) one.classList.add('is-shown');
  await new Promise((so) => { setTimeout(so, hold); });
  for (const one of all) one.classList.remove('is-shown');
  pointing = false;
  if (mine === wanted) ask(address);
}

// Play on the boards what has happened since; the text changes after the last piece has arrived.
async function show(html, there) {
  const next = new DOMParser().parseFromString(html, 'text/html');
  const { from, to, boardsUrl } = next.getElementById('live').dataset;
  const [first, last, now] = [Number(from), Number(to), boardHtml(next)];
  const unfolds = Number(live().dataset.to) <= first && first < last && !isSkipping();
  if (there.href !== location.href) history.pushState(null, '', there);
  if (unfolds) {
    unfolding = true;
    // The question has been answered: its choices would cover the boards, and look as if they were still open.
    live().classList.add('is-unfolding');
    document.getElementById('notice')?.replaceChildren();
    document.getElementById('prompt-title').textContent = next.getElementById('prompt-title').textContent;
    await playMoves({ from: first, to: last, address: (at) => `${boardsUrl}${at}`, now }).catch(reportError);
    unfolding = false;
  }
  await window.htmx.swap({ sourceElement: live(), target: live(), text: next.getElementById('live').outerHTML, swap: 'outerMorph' });
  foldBlocked();
  document.dispatchEvent(new CustomEvent('spieltisch:changed'));
  document.getElementById('said').textContent = live().dataset.announce;
  document.getElementById('prompt').scrollTop = 0;
  scrollTo({ top: 0 });
  document.getElementById('lesson-title').focus({ preventScroll: true }); // in an example the title takes no focus: the link keeps it
}

document.addEventListener('submit', (event) => {
  if (event.target.id !== 'act' || !event.submitter) return;
  event.preventDefault();
  if (unfolding) return; // the choices are about to change; a press skips to them (playback-queue.js)
  const address = new URL(event.submitter.formAction);
  address.searchParams.set('move', event.submitter.value);
  ask(address);
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-go]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.id === 'show' && !unfolding) point(link.href);
  else if (!unfolding || link.href !== location.href) ask(link.href);
});

addEventListener('popstate', () => ask(location.href));
